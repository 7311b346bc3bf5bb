#include <string>

#include "http.hpp"
#include "routes.hpp"
#include "shared/raw.hpp"

using httplib::Request;
using httplib::Response;

void add_issue_tracker_raw(httplib::Server& server, Source& source) {
  server.Get("/api/v1/userinfo/raw/:id", [&source](const Request& request, Response& response) {
    const auto user = source.user().plain();
    (*user)["sub"].get_ref<std::string&>() += "-" + std::to_string(id_of(request));
    response.set_content(user->dump(), JSON);
  });

  server.Get("/api/v1/sprint/raw/:id", [&source](const Request& request, Response& response) {
    const auto board = source.sprint().plain();
    (*board)["sprint"]["id"] = id_of(request);
    response.set_content(board->dump(), JSON);
  });

  server.Post("/api/v1/board/raw/:id/task", [&source](const Request& request, Response& response) {
    const auto sent = shared::read_task(request.body);
    const auto task = source.task().plain();
    (*task)["board"] = id_of(request);
    task->update(sent);
    response.status = 201;
    response.set_content(task->dump(), JSON);
  });

  server.Put("/api/v1/board/raw/:id/task", [&source](const Request& request, Response& response) {
    id_of(request);  // throws where it is none
    source.save_task(shared::read_task(request.body));
    response.status = 204;
  });
}
