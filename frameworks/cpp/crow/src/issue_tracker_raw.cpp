#include <utility>

#include "http.hpp"
#include "routes.hpp"
#include "shared/raw.hpp"

using crow::HTTPMethod;

void add_issue_tracker_raw(crow::SimpleApp& app, Source& source) {
  CROW_ROUTE(app, "/api/v1/userinfo/raw/<int>")
  ([&source](std::int64_t id) { return json(shared::user_json(*source.user(), id_of(id))); });

  CROW_ROUTE(app, "/api/v1/sprint/raw/<int>")
  ([&source](std::int64_t id) { return json(shared::board_json(*source.sprint(), id_of(id))); });

  CROW_ROUTE(app, "/api/v1/board/raw/<int>/task")
      .methods(HTTPMethod::POST)([&source](const crow::request& request, std::int64_t id) {
        const auto sent = shared::read_task(request.body);
        return json(shared::task_json(*source.task(), id_of(id), std::move(*sent)), crow::status::CREATED);
      });

  CROW_ROUTE(app, "/api/v1/board/raw/<int>/task")
      .methods(HTTPMethod::PUT)([&source](const crow::request& request, std::int64_t id) {
        id_of(id);
        source.save_task(*shared::read_task(request.body));
        return crow::response(crow::status::NO_CONTENT);
      });
}
