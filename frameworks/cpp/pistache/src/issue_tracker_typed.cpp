#include "issue_tracker_typed.hpp"

#include <utility>

#include "shared/models.hpp"

using shared::Board;
using shared::Task;
using shared::TaskIn;
using shared::User;

IssueTrackerTyped::IssueTrackerTyped(Source& source, Rest::Router& router) : source_(source) {
  using Rest::Routes::bind;
  Rest::Routes::Get(router, "/api/v1/userinfo/typed/:id", bind(&IssueTrackerTyped::userinfo, this));
  Rest::Routes::Get(router, "/api/v1/sprint/typed/:id", bind(&IssueTrackerTyped::sprint, this));
  Rest::Routes::Post(router, "/api/v1/board/typed/:id/task", bind(&IssueTrackerTyped::create_task, this));
  Rest::Routes::Put(router, "/api/v1/board/typed/:id/task", bind(&IssueTrackerTyped::update_task, this));
}

void IssueTrackerTyped::userinfo(const Rest::Request& request, Http::ResponseWriter response) {
  source_.user([user_id = id_of(request), response = later(std::move(response))](const Source::Fetched& fetched) {
    send_json(*response, shared::write(User::from_row(*fetched.row(), user_id)));
  });
}

void IssueTrackerTyped::sprint(const Rest::Request& request, Http::ResponseWriter response) {
  source_.sprint([sprint_id = id_of(request), response = later(std::move(response))](const Source::Fetched& fetched) {
    send_json(*response, shared::write(Board::from_row(*fetched.row(), sprint_id)));
  });
}

void IssueTrackerTyped::create_task(const Rest::Request& request, Http::ResponseWriter response) {
  source_.task([board_id = id_of(request), task = shared::read<TaskIn>(request.body()),
                response = later(std::move(response))](const Source::Fetched& fetched) mutable {
    send_json(*response, shared::write(Task::from_row(*fetched.row(), board_id, std::move(task))), Http::Code::Created);
  });
}

void IssueTrackerTyped::update_task(const Rest::Request& request, Http::ResponseWriter response) {
  id_of(request);
  source_.save_task(shared::read<TaskIn>(request.body()),
                    [response = later(std::move(response))] { response->send(Http::Code::No_Content); });
}
