#include "routes.hpp"
#include "shared/raw_task.hpp"

using shared::json;

namespace {

json read_task(const std::string& body) { return shared::task_of(shared::parse_json(body)); }

}  // namespace

void add_issue_tracker_raw(Router& router, Source& source) {
  router.http_get(routing::path_to_params("/api/v1/userinfo/raw/", id()),
                  [&source](const Request& request, std::int32_t user_id) {
                    source.user([=](const json& row) {
                      json user = row;
                      user["sub"] = row["sub"].get<std::string>() + "-" + std::to_string(user_id);
                      answer_json(request, user.dump());
                    });
                    return restinio::request_accepted();
                  });

  router.http_get(routing::path_to_params("/api/v1/sprint/raw/", id()),
                  [&source](const Request& request, std::int32_t sprint_id) {
                    source.sprint([=](const json& row) {
                      json board = row;
                      board["sprint"]["id"] = sprint_id;
                      answer_json(request, board.dump());
                    });
                    return restinio::request_accepted();
                  });

  router.http_post(routing::path_to_params("/api/v1/board/raw/", id(), "/task"),
                   with_body(read_task, [&source](const Request& request, std::int32_t board_id, json task) {
                     source.task([=, task = std::move(task)](const json& row) {
                       json created = row;
                       created["board"] = board_id;
                       created.update(task);
                       answer_json(request, created.dump(), restinio::status_created());
                     });
                     return restinio::request_accepted();
                   }));

  router.http_put(routing::path_to_params("/api/v1/board/raw/", id(), "/task"),
                  with_body(read_task, [&source](const Request& request, std::int32_t, const json& task) {
                    source.save_task(task, [=] { answer_nothing(request); });
                    return restinio::request_accepted();
                  }));
}
