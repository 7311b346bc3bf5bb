#include <sstream>
#include <string>
#include <utility>

#include "routes.hpp"
#include "shared/raw_task.hpp"

using web::http::http_request;
using web::http::methods;
using web::http::status_codes;
using web::json::value;

namespace {

/// Returns the JSON text of an object with another value for one of its members. The object is not copied, because a
/// copy of a web::json::value is a copy of all that is in it.
std::string text_with(const value& object, const std::string& replaced, const value& other) {
  std::ostringstream text;
  char separator = '{';
  for (const auto& [name, member] : object.as_object()) {
    text << std::exchange(separator, ',') << value(name) << ':' << (name == replaced ? other : member);
  }
  text << '}';
  return text.str();
}

}  // namespace

void add_issue_tracker_raw(Router& router, Source& source) {
  router.add(methods::GET, "/api/v1/userinfo/raw/{id}", [&source](http_request request, const std::string& id) {
    return source.user().then([request, user_id = id_of(id)](const Source::Fetched& fetched) {
      value user = *fetched.row();
      user["sub"] = value(user["sub"].as_string() + "-" + std::to_string(user_id));
      return request.reply(status_codes::OK, user);
    });
  });

  router.add(methods::GET, "/api/v1/sprint/raw/{id}", [&source](http_request request, const std::string& id) {
    return source.sprint().then([request, sprint_id = id_of(id)](const Source::Fetched& fetched) {
      const auto row = fetched.row();
      value sprint = row->at("sprint");
      sprint["id"] = sprint_id;
      return request.reply(status_codes::OK, text_with(*row, "sprint", sprint), "application/json");
    });
  });

  router.add(methods::POST, "/api/v1/board/raw/{id}/task", [&source](http_request request, const std::string& id) {
    return request.extract_json().then([&source, request, board_id = id_of(id)](const value& body) {
      return source.task().then([request, board_id, sent = shared::task_of(body)](const Source::Fetched& fetched) {
        value task = *fetched.row();
        for (const auto& [name, field] : sent.as_object()) task[name] = field;
        task["board"] = board_id;
        return request.reply(status_codes::Created, task);
      });
    });
  });

  router.add(methods::PUT, "/api/v1/board/raw/{id}/task", [&source](http_request request, const std::string& id) {
    id_of(id);  // throws where it is none
    return request.extract_json()
        .then([&source](const value& body) { return source.save_task(shared::task_of(body)); })
        .then([request] { return request.reply(status_codes::NoContent); });
  });
}
