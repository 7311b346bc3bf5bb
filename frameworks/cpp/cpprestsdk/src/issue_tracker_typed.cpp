#include <string>

#include "routes.hpp"
#include "shared/parameters.hpp"

using shared::TaskIn;
using web::http::http_request;
using web::http::methods;
using web::http::status_codes;

void add_issue_tracker_typed(Router& router, Source& source) {
  router.add(methods::GET, "/api/v1/userinfo/typed/{id}", [&source](http_request request, const std::string& id) {
    return source.user().then([request, user_id = shared::id_of(id)](const Source::User& fetched) {
      const auto user = fetched.typed();
      user->sub += "-" + std::to_string(user_id);
      return request.reply(status_codes::OK, as_json(*user));
    });
  });

  router.add(methods::GET, "/api/v1/sprint/typed/{id}", [&source](http_request request, const std::string& id) {
    return source.sprint().then([request, sprint_id = shared::id_of(id)](const Source::Sprint& fetched) {
      const auto board = fetched.typed();
      board->sprint.id = sprint_id;
      return request.reply(status_codes::OK, as_json(*board));
    });
  });

  router.add(methods::POST, "/api/v1/board/typed/{id}/task", [&source](http_request request, const std::string& id) {
    return read<TaskIn>(request).then([&source, request, board_id = shared::id_of(id)](const TaskIn& sent) {
      return source.task().then([request, board_id, sent](const Source::Task& fetched) {
        const auto task = fetched.typed();
        task->board = board_id;
        static_cast<TaskIn&>(*task) = sent;
        return request.reply(status_codes::Created, as_json(*task));
      });
    });
  });

  router.add(methods::PUT, "/api/v1/board/typed/{id}/task", [&source](http_request request, const std::string& id) {
    shared::id_of(id);  // throws where it is none
    return read<TaskIn>(request).then([&source](const TaskIn& sent) { return source.save_task(sent); }).then([request] {
      return request.reply(status_codes::NoContent);
    });
  });
}
