#include <utility>

#include "http.hpp"
#include "routes.hpp"
#include "shared/json.hpp"
#include "shared/models.hpp"

using httplib::Request;
using httplib::Response;
using shared::Board;
using shared::Task;
using shared::TaskIn;
using shared::User;

void add_issue_tracker_typed(httplib::Server& server, Source& source) {
  server.Get(R"(/api/v1/userinfo/typed/(\d+))", [&source](const Request& request, Response& response) {
    const auto user = User::from_row(*source.user(), id_of(request));
    response.set_content(shared::write(user), JSON);
  });

  server.Get(R"(/api/v1/sprint/typed/(\d+))", [&source](const Request& request, Response& response) {
    const auto board = Board::from_row(*source.sprint(), id_of(request));
    response.set_content(shared::write(board), JSON);
  });

  server.Post(R"(/api/v1/board/typed/(\d+)/task)", [&source](const Request& request, Response& response) {
    auto sent = shared::read<TaskIn>(request.body);
    const auto task = Task::from_row(*source.task(), id_of(request), std::move(sent));
    response.status = 201;
    response.set_content(shared::write(task), JSON);
  });

  server.Put(R"(/api/v1/board/typed/(\d+)/task)", [&source](const Request& request, Response& response) {
    source.save_task(shared::read<TaskIn>(request.body));
    response.status = 204;
  });
}
