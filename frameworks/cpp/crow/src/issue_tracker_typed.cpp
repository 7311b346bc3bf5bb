#include <string>
#include <utility>

#include "http.hpp"
#include "routes.hpp"
#include "shared/models.hpp"

using crow::HTTPMethod;
using shared::TaskIn;

void add_issue_tracker_typed(crow::SimpleApp& app, Source& source) {
  CROW_ROUTE(app, "/api/v1/userinfo/typed/<uint>")
  ([&source](std::uint64_t id) {
    const auto user = source.user().typed();
    user->sub += "-" + std::to_string(id_of(id));
    return json(shared::write(*user));
  });

  CROW_ROUTE(app, "/api/v1/sprint/typed/<uint>")
  ([&source](std::uint64_t id) {
    const auto board = source.sprint().typed();
    board->sprint.id = id_of(id);
    return json(shared::write(*board));
  });

  CROW_ROUTE(app, "/api/v1/board/typed/<uint>/task")
      .methods(HTTPMethod::POST)([&source](const crow::request& request, std::uint64_t id) {
        auto sent = shared::read<TaskIn>(request.body);
        const auto task = source.task().typed();
        task->board = id_of(id);
        static_cast<TaskIn&>(*task) = std::move(sent);
        return json(shared::write(*task), crow::status::CREATED);
      });

  CROW_ROUTE(app, "/api/v1/board/typed/<uint>/task")
      .methods(HTTPMethod::PUT)([&source](const crow::request& request, std::uint64_t id) {
        id_of(id);
        source.save_task(shared::read<TaskIn>(request.body));
        return crow::response(crow::status::NO_CONTENT);
      });
}
