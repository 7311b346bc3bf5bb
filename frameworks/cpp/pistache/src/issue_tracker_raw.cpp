#include "issue_tracker_raw.hpp"

#include <utility>

#include "shared/raw_task.hpp"

using shared::json;

namespace {

json task_in(const Rest::Request& request) { return shared::task_of(shared::parse_json(request.body())); }

}  // namespace

IssueTrackerRaw::IssueTrackerRaw(Source& source, Rest::Router& router) : source_(source) {
  using Rest::Routes::bind;
  Rest::Routes::Get(router, "/api/v1/userinfo/raw/:id", bind(&IssueTrackerRaw::userinfo, this));
  Rest::Routes::Get(router, "/api/v1/sprint/raw/:id", bind(&IssueTrackerRaw::sprint, this));
  Rest::Routes::Post(router, "/api/v1/board/raw/:id/task", bind(&IssueTrackerRaw::create_task, this));
  Rest::Routes::Put(router, "/api/v1/board/raw/:id/task", bind(&IssueTrackerRaw::update_task, this));
}

void IssueTrackerRaw::userinfo(const Rest::Request& request, Http::ResponseWriter response) {
  source_.user([user_id = id_of(request), response = later(std::move(response))](const json& row) {
    json user = row;
    user["sub"] = row["sub"].get<std::string>() + "-" + std::to_string(user_id);
    send_json(*response, user.dump());
  });
}

void IssueTrackerRaw::sprint(const Rest::Request& request, Http::ResponseWriter response) {
  source_.sprint([sprint_id = id_of(request), response = later(std::move(response))](const json& row) {
    json board = row;
    board["sprint"]["id"] = sprint_id;
    send_json(*response, board.dump());
  });
}

void IssueTrackerRaw::create_task(const Rest::Request& request, Http::ResponseWriter response) {
  source_.task(
      [board_id = id_of(request), task = task_in(request), response = later(std::move(response))](const json& row) {
        json created = row;
        created["board"] = board_id;
        created.update(task);
        send_json(*response, created.dump(), Http::Code::Created);
      });
}

void IssueTrackerRaw::update_task(const Rest::Request& request, Http::ResponseWriter response) {
  id_of(request);
  source_.save_task(task_in(request),
                    [response = later(std::move(response))] { response->send(Http::Code::No_Content); });
}
