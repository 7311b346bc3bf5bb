#include "issue_tracker_typed.hpp"

#include <string>
#include <utility>

#include "shared/models.hpp"

using shared::TaskIn;

IssueTrackerTyped::IssueTrackerTyped(Source& source, Rest::Router& router) : source_(source) {
  using Rest::Routes::bind;
  Rest::Routes::Get(router, "/api/v1/userinfo/typed/:id", bind(&IssueTrackerTyped::userinfo, this));
  Rest::Routes::Get(router, "/api/v1/sprint/typed/:id", bind(&IssueTrackerTyped::sprint, this));
  Rest::Routes::Post(router, "/api/v1/board/typed/:id/task", bind(&IssueTrackerTyped::create_task, this));
  Rest::Routes::Put(router, "/api/v1/board/typed/:id/task", bind(&IssueTrackerTyped::update_task, this));
}

void IssueTrackerTyped::userinfo(const Rest::Request& request, Http::ResponseWriter response) {
  source_.user([user_id = id_of(request), response = later(std::move(response))](const auto& fetched) {
    const auto user = fetched.typed();
    user->sub += "-" + std::to_string(user_id);
    send_json(*response, shared::write(*user));
  });
}

void IssueTrackerTyped::sprint(const Rest::Request& request, Http::ResponseWriter response) {
  source_.sprint([sprint_id = id_of(request), response = later(std::move(response))](const auto& fetched) {
    const auto board = fetched.typed();
    board->sprint.id = sprint_id;
    send_json(*response, shared::write(*board));
  });
}

void IssueTrackerTyped::create_task(const Rest::Request& request, Http::ResponseWriter response) {
  source_.task([board_id = id_of(request), sent = shared::read<TaskIn>(request.body()),
                response = later(std::move(response))](const auto& fetched) {
    const auto task = fetched.typed();
    task->board = board_id;
    static_cast<TaskIn&>(*task) = sent;
    send_json(*response, shared::write(*task), Http::Code::Created);
  });
}

void IssueTrackerTyped::update_task(const Rest::Request& request, Http::ResponseWriter response) {
  id_of(request);
  source_.save_task(shared::read<TaskIn>(request.body()),
                    [response = later(std::move(response))] { response->send(Http::Code::No_Content); });
}
