#include <string>
#include <utility>

#include "http.hpp"
#include "routes.hpp"
#include "shared/models.hpp"

using httplib::Request;
using httplib::Response;
using shared::TaskIn;

void add_issue_tracker_typed(httplib::Server& server, Source& source) {
  server.Get("/api/v1/userinfo/typed/:id", [&source](const Request& request, Response& response) {
    const auto user = source.user().typed();
    user->sub += "-" + std::to_string(id_of(request));
    response.set_content(shared::write(*user), JSON);
  });

  server.Get("/api/v1/sprint/typed/:id", [&source](const Request& request, Response& response) {
    const auto board = source.sprint().typed();
    board->sprint.id = id_of(request);
    response.set_content(shared::write(*board), JSON);
  });

  server.Post("/api/v1/board/typed/:id/task", [&source](const Request& request, Response& response) {
    auto sent = shared::read<TaskIn>(request.body);
    const auto task = source.task().typed();
    task->board = id_of(request);
    static_cast<TaskIn&>(*task) = std::move(sent);
    response.status = 201;
    response.set_content(shared::write(*task), JSON);
  });

  server.Put("/api/v1/board/typed/:id/task", [&source](const Request& request, Response& response) {
    id_of(request);  // throws where it is none
    source.save_task(shared::read<TaskIn>(request.body));
    response.status = 204;
  });
}
