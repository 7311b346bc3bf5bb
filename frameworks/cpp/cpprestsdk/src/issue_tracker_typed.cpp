#include <utility>

#include "routes.hpp"
#include "shared/models.hpp"

using shared::Board;
using shared::Task;
using shared::TaskIn;
using shared::User;
using web::http::http_request;
using web::http::methods;
using web::http::status_codes;

void add_issue_tracker_typed(Router& router, Source& source) {
  router.add(methods::GET, "/api/v1/userinfo/typed/{id}", [&source](http_request request, const std::string& id) {
    return source.user().then([request, user_id = id_of(id)](const Source::Fetched& fetched) {
      return request.reply(status_codes::OK, write(User::from_row(*fetched.row(), user_id)));
    });
  });

  router.add(methods::GET, "/api/v1/sprint/typed/{id}", [&source](http_request request, const std::string& id) {
    return source.sprint().then([request, sprint_id = id_of(id)](const Source::Fetched& fetched) {
      return request.reply(status_codes::OK, write(Board::from_row(*fetched.row(), sprint_id)));
    });
  });

  router.add(methods::POST, "/api/v1/board/typed/{id}/task", [&source](http_request request, const std::string& id) {
    return read<TaskIn>(request).then([&source, request, board_id = id_of(id)](const TaskIn& sent) {
      return source.task().then([request, board_id, sent](const Source::Fetched& fetched) mutable {
        return request.reply(status_codes::Created, write(Task::from_row(*fetched.row(), board_id, std::move(sent))));
      });
    });
  });

  router.add(methods::PUT, "/api/v1/board/typed/{id}/task", [&source](http_request request, const std::string& id) {
    id_of(id);  // throws where it is none
    return read<TaskIn>(request).then([&source](const TaskIn& sent) { return source.save_task(sent); }).then([request] {
      return request.reply(status_codes::NoContent);
    });
  });
}
