#include "http.hpp"
#include "routes.hpp"
#include "shared/raw.hpp"

using httplib::Request;
using httplib::Response;

void add_issue_tracker_raw(httplib::Server& server, Source& source) {
  server.Get(R"(/api/v1/userinfo/raw/(\d+))", [&source](const Request& request, Response& response) {
    response.set_content(shared::user_json(*source.user().plain(), id_of(request)), JSON);
  });

  server.Get(R"(/api/v1/sprint/raw/(\d+))", [&source](const Request& request, Response& response) {
    response.set_content(shared::board_json(*source.sprint().plain(), id_of(request)), JSON);
  });

  server.Post(R"(/api/v1/board/raw/(\d+)/task)", [&source](const Request& request, Response& response) {
    const auto sent = shared::read_task(request.body);
    response.status = 201;
    response.set_content(shared::task_json(*source.task().plain(), id_of(request), sent), JSON);
  });

  server.Put(R"(/api/v1/board/raw/(\d+)/task)", [&source](const Request& request, Response& response) {
    source.save_task(shared::read_task(request.body));
    response.status = 204;
  });
}
