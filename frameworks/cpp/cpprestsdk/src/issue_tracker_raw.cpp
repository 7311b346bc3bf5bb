#include <string>

#include "routes.hpp"
#include "shared/models.hpp"
#include "shared/parameters.hpp"

using web::http::http_request;
using web::http::methods;
using web::http::status_codes;
using web::json::value;

namespace {

/// Returns the fields of a task from a body. Their values may be anything. Throws what the C++ REST SDK throws where
/// one is missing.
value task_of(const value& body) {
  auto task = value::object();
  for (const char* field : shared::TASK_FIELDS) task[field] = body.at(field);
  return task;
}

}  // namespace

void add_issue_tracker_raw(Router& router, Source& source) {
  router.add(methods::GET, "/api/v1/userinfo/raw/{id}", [&source](http_request request, const std::string& id) {
    return source.user().then([request, user_id = shared::id_of(id)](const Source::User& fetched) {
      const auto user = fetched.plain();
      auto& sub = user->at("sub");
      sub = value(sub.as_string() + "-" + std::to_string(user_id));
      return request.reply(status_codes::OK, *user);
    });
  });

  router.add(methods::GET, "/api/v1/sprint/raw/{id}", [&source](http_request request, const std::string& id) {
    return source.sprint().then([request, sprint_id = shared::id_of(id)](const Source::Sprint& fetched) {
      const auto board = fetched.plain();
      board->at("sprint")["id"] = sprint_id;
      return request.reply(status_codes::OK, *board);
    });
  });

  router.add(methods::POST, "/api/v1/board/raw/{id}/task", [&source](http_request request, const std::string& id) {
    return request.extract_json().then([&source, request, board_id = shared::id_of(id)](const value& body) {
      return source.task().then([request, board_id, sent = task_of(body)](const Source::Task& fetched) {
        const auto task = fetched.plain();
        for (const auto& [name, field] : sent.as_object()) (*task)[name] = field;
        (*task)["board"] = board_id;
        return request.reply(status_codes::Created, *task);
      });
    });
  });

  router.add(methods::PUT, "/api/v1/board/raw/{id}/task", [&source](http_request request, const std::string& id) {
    shared::id_of(id);  // throws where it is none
    return request.extract_json()
        .then([&source](const value& body) { return source.save_task(task_of(body)); })
        .then([request] { return request.reply(status_codes::NoContent); });
  });
}
