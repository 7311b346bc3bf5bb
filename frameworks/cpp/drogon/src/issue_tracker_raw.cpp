#include "issue_tracker_raw.hpp"

#include <utility>

#include "shared/misfit.hpp"
#include "shared/models.hpp"
#include "shared/parameters.hpp"

using drogon::HttpRequestPtr;

namespace {

/// Returns the fields of a task from a body. Their values may be anything. Throws Misfit.
Json::Value task_of(const Json::Value& body) {
  Json::Value task;
  for (const char* field : shared::TASK_FIELDS) {
    if (!body.isObject() || !body.isMember(field)) throw shared::Misfit(std::string(field) + " is missing");
    task[field] = body[field];
  }
  return task;
}

}  // namespace

void IssueTrackerRaw::userinfo(const HttpRequestPtr&, Callback&& callback, const std::string& id) {
  source_.user([user_id = shared::id_of(id), callback = std::move(callback)](const auto& fetched) {
    const auto user = fetched.plain();
    auto& sub = (*user)["sub"];
    sub = sub.asString() + "-" + std::to_string(user_id);
    callback(plain_json(*user));
  });
}

void IssueTrackerRaw::sprint(const HttpRequestPtr&, Callback&& callback, const std::string& id) {
  source_.sprint([sprint_id = shared::id_of(id), callback = std::move(callback)](const auto& fetched) {
    const auto board = fetched.plain();
    (*board)["sprint"]["id"] = sprint_id;
    callback(plain_json(*board));
  });
}

void IssueTrackerRaw::create_task(Json::Value&& body, Callback&& callback, const std::string& id) {
  source_.task(
      [board_id = shared::id_of(id), sent = task_of(body), callback = std::move(callback)](const auto& fetched) {
        const auto task = fetched.plain();
        for (const char* field : shared::TASK_FIELDS) (*task)[field] = sent[field];
        (*task)["board"] = board_id;
        callback(plain_json(*task, drogon::k201Created));
      });
}

void IssueTrackerRaw::update_task(Json::Value&& body, Callback&& callback, const std::string& id) {
  shared::id_of(id);  // throws where it is none
  source_.save_task(task_of(body), [callback = std::move(callback)] { callback(no_content()); });
}
