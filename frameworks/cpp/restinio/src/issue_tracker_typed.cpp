#include <utility>

#include "routes.hpp"
#include "shared/models.hpp"

using shared::Board;
using shared::Task;
using shared::TaskIn;
using shared::User;

void add_issue_tracker_typed(Router& router, Source& source) {
  router.http_get(routing::path_to_params("/api/v1/userinfo/typed/", id()),
                  [&source](const Request& request, std::int32_t user_id) {
                    source.user([=](const Source::Fetched& fetched) {
                      answer_json(request, shared::write(User::from_row(*fetched.row(), user_id)));
                    });
                    return restinio::request_accepted();
                  });

  router.http_get(routing::path_to_params("/api/v1/sprint/typed/", id()),
                  [&source](const Request& request, std::int32_t sprint_id) {
                    source.sprint([=](const Source::Fetched& fetched) {
                      answer_json(request, shared::write(Board::from_row(*fetched.row(), sprint_id)));
                    });
                    return restinio::request_accepted();
                  });

  router.http_post(
      routing::path_to_params("/api/v1/board/typed/", id(), "/task"),
      with_body(shared::read<TaskIn>, [&source](const Request& request, std::int32_t board_id, TaskIn task) {
        source.task([=, task = std::move(task)](const Source::Fetched& fetched) mutable {
          answer_json(request, shared::write(Task::from_row(*fetched.row(), board_id, std::move(task))),
                      restinio::status_created());
        });
        return restinio::request_accepted();
      }));

  router.http_put(routing::path_to_params("/api/v1/board/typed/", id(), "/task"),
                  with_body(shared::read<TaskIn>, [&source](const Request& request, std::int32_t, const TaskIn& task) {
                    source.save_task(task, [=] { answer_nothing(request); });
                    return restinio::request_accepted();
                  }));
}
