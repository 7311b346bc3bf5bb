#include <string>

#include "http.hpp"
#include "routes.hpp"
#include "shared/misfit.hpp"
#include "shared/models.hpp"

using crow::HTTPMethod;
using crow::json::rvalue;
using crow::json::wvalue;

namespace {

/// Returns a body that has the fields of a task. Their values may be anything. Throws Misfit.
rvalue read_task(const crow::request& request) {
  auto body = read_object(request);
  for (const char* field : shared::TASK_FIELDS) {
    if (!body.has(field)) throw shared::Misfit(std::string(field) + " is missing");
  }
  return body;
}

}  // namespace

void add_issue_tracker_raw(crow::SimpleApp& app, Source& source) {
  CROW_ROUTE(app, "/api/v1/userinfo/raw/<uint>")
  ([&source](std::uint64_t id) {
    const auto user = source.user().plain();
    auto& sub = (*user)["sub"];  // a wvalue gives its text to a wvalue_reader only
    sub = crow::json::wvalue_reader{sub}.get(std::string()) + "-" + std::to_string(id_of(id));
    return crow::response(*user);
  });

  CROW_ROUTE(app, "/api/v1/sprint/raw/<uint>")
  ([&source](std::uint64_t id) {
    const auto board = source.sprint().plain();
    (*board)["sprint"]["id"] = id_of(id);
    return crow::response(*board);
  });

  CROW_ROUTE(app, "/api/v1/board/raw/<uint>/task")
      .methods(HTTPMethod::POST)([&source](const crow::request& request, std::uint64_t id) {
        const auto sent = read_task(request);
        const auto task = source.task().plain();
        for (const char* field : shared::TASK_FIELDS) (*task)[field] = wvalue(sent[field]);
        (*task)["board"] = id_of(id);
        return crow::response(crow::status::CREATED, *task);
      });

  CROW_ROUTE(app, "/api/v1/board/raw/<uint>/task")
      .methods(HTTPMethod::PUT)([&source](const crow::request& request, std::uint64_t id) {
        id_of(id);
        source.save_task(read_task(request));
        return crow::response(crow::status::NO_CONTENT);
      });
}
