#include "issue_tracker_typed.hpp"

#include <utility>

#include "shared/parameters.hpp"

using drogon::HttpRequestPtr;
using shared::TaskIn;

void IssueTrackerTyped::userinfo(const HttpRequestPtr&, Callback&& callback, const std::string& id) {
  source_.user([user_id = shared::id_of(id), callback = std::move(callback)](const auto& fetched) {
    const auto user = fetched.typed();
    user->sub += "-" + std::to_string(user_id);
    callback(typed_json(*user));
  });
}

void IssueTrackerTyped::sprint(const HttpRequestPtr&, Callback&& callback, const std::string& id) {
  source_.sprint([sprint_id = shared::id_of(id), callback = std::move(callback)](const auto& fetched) {
    const auto board = fetched.typed();
    board->sprint.id = sprint_id;
    callback(typed_json(*board));
  });
}

void IssueTrackerTyped::create_task(TaskIn&& body, Callback&& callback, const std::string& id) {
  source_.task(
      [board_id = shared::id_of(id), sent = std::move(body), callback = std::move(callback)](const auto& fetched) {
        const auto task = fetched.typed();
        task->board = board_id;
        static_cast<TaskIn&>(*task) = sent;
        callback(typed_json(*task, drogon::k201Created));
      });
}

void IssueTrackerTyped::update_task(TaskIn&& body, Callback&& callback, const std::string& id) {
  shared::id_of(id);  // throws where it is none
  source_.save_task(body, [callback = std::move(callback)] { callback(no_content()); });
}
