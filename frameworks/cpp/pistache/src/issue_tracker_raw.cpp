#include "issue_tracker_raw.hpp"

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
    send_json(*response, shared::user_json(*fetched.plain(), user_id));
  });
}

void IssueTrackerRaw::sprint(const Rest::Request& request, Http::ResponseWriter response) {
  source_.sprint([sprint_id = id_of(request), response = later(std::move(response))](const auto& fetched) {
    send_json(*response, shared::board_json(*fetched.plain(), sprint_id));
  });
}

void IssueTrackerRaw::create_task(const Rest::Request& request, Http::ResponseWriter response) {
  source_.task([board_id = id_of(request), task = shared::read_task(request.body()),
                response = later(std::move(response))](const auto& fetched) {
    send_json(*response, shared::task_json(*fetched.plain(), board_id, task), Http::Code::Created);
  });
}

void IssueTrackerRaw::update_task(const Rest::Request& request, Http::ResponseWriter response) {
  id_of(request);
  source_.save_task(shared::read_task(request.body()),
                    [response = later(std::move(response))] { response->send(Http::Code::No_Content); });
}
