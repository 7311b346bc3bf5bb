#include "issue_tracker_raw.hpp"

#include <string>
#include <utility>

#include "shared/raw.hpp"

IssueTrackerRaw::IssueTrackerRaw(Source& source, Rest::Router& router) : source_(source) {
  using Rest::Routes::bind;
  Rest::Routes::Get(router, "/api/v1/userinfo/raw/:id", bind(&IssueTrackerRaw::userinfo, this));
  Rest::Routes::Get(router, "/api/v1/sprint/raw/:id", bind(&IssueTrackerRaw::sprint, this));
  Rest::Routes::Post(router, "/api/v1/board/raw/:id/task", bind(&IssueTrackerRaw::create_task, this));
  Rest::Routes::Put(router, "/api/v1/board/raw/:id/task", bind(&IssueTrackerRaw::update_task, this));
}

void IssueTrackerRaw::userinfo(const Rest::Request& request, Http::ResponseWriter response) {
  source_.user([user_id = id_of(request), response = later(std::move(response))](const auto& fetched) {
    const auto user = fetched.plain();
    (*user)["sub"].template get_ref<std::string&>() += "-" + std::to_string(user_id);
    send_json(*response, user->dump());
  });
}

void IssueTrackerRaw::sprint(const Rest::Request& request, Http::ResponseWriter response) {
  source_.sprint([sprint_id = id_of(request), response = later(std::move(response))](const auto& fetched) {
    const auto board = fetched.plain();
    (*board)["sprint"]["id"] = sprint_id;
    send_json(*response, board->dump());
  });
}

void IssueTrackerRaw::create_task(const Rest::Request& request, Http::ResponseWriter response) {
  source_.task([board_id = id_of(request), sent = shared::read_task(request.body()),
                response = later(std::move(response))](const auto& fetched) {
    const auto task = fetched.plain();
    (*task)["board"] = board_id;
    task->update(sent);
    send_json(*response, task->dump(), Http::Code::Created);
  });
}

void IssueTrackerRaw::update_task(const Rest::Request& request, Http::ResponseWriter response) {
  id_of(request);
  source_.save_task(shared::read_task(request.body()),
                    [response = later(std::move(response))] { response->send(Http::Code::No_Content); });
}
