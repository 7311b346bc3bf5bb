#include <utility>

#include "http.hpp"
#include "routes.hpp"
#include "shared/models.hpp"

using crow::HTTPMethod;
using shared::Board;
using shared::Task;
using shared::TaskIn;
using shared::User;

void add_issue_tracker_typed(crow::SimpleApp& app, Source& source) {
  CROW_ROUTE(app, "/api/v1/userinfo/typed/<int>")
  ([&source](std::int64_t id) { return json(shared::write(User::from_row(*source.user(), id_of(id)))); });

  CROW_ROUTE(app, "/api/v1/sprint/typed/<int>")
  ([&source](std::int64_t id) { return json(shared::write(Board::from_row(*source.sprint(), id_of(id)))); });

  CROW_ROUTE(app, "/api/v1/board/typed/<int>/task")
      .methods(HTTPMethod::POST)([&source](const crow::request& request, std::int64_t id) {
        auto sent = shared::read<TaskIn>(request.body);
        const auto task = Task::from_row(*source.task(), id_of(id), std::move(sent));
        return json(shared::write(task), crow::status::CREATED);
      });

  CROW_ROUTE(app, "/api/v1/board/typed/<int>/task")
      .methods(HTTPMethod::PUT)([&source](const crow::request& request, std::int64_t id) {
        id_of(id);
        source.save_task(shared::read<TaskIn>(request.body));
        return crow::response(crow::status::NO_CONTENT);
      });
}
