#include <string>

#include "http.hpp"
#include "routes.hpp"
#include "shared/raw_task.hpp"

using httplib::Request;
using httplib::Response;
using shared::json;

void add_issue_tracker_raw(httplib::Server& server, Source& source) {
  server.Get(R"(/api/v1/userinfo/raw/(\d+))", [&source](const Request& request, Response& response) {
    json user = source.user();
    user["sub"] = user["sub"].get<std::string>() + "-" + std::to_string(id_of(request));
    response.set_content(user.dump(), JSON);
  });

  server.Get(R"(/api/v1/sprint/raw/(\d+))", [&source](const Request& request, Response& response) {
    json board = source.sprint();
    board["sprint"]["id"] = id_of(request);
    response.set_content(board.dump(), JSON);
  });

  server.Post(R"(/api/v1/board/raw/(\d+)/task)", [&source](const Request& request, Response& response) {
    const json sent = shared::task_of(shared::parse_json(request.body));
    json task = source.task();
    task.update(sent);
    task["board"] = id_of(request);
    response.status = 201;
    response.set_content(task.dump(), JSON);
  });

  server.Put(R"(/api/v1/board/raw/(\d+)/task)", [&source](const Request& request, Response& response) {
    source.save_task(shared::task_of(shared::parse_json(request.body)));
    response.status = 204;
  });
}
