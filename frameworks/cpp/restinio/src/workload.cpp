#include "routes.hpp"
#include "shared/raw.hpp"
#include "shared/work.hpp"

using shared::json;

void add_workload(Router& router, const shared::Wait& wait, shared::ThreadPool& threads) {
  router.http_post(routing::path_to_params("/test/simple/raw"),
                   with_body(shared::parse_json, [](const Request& request, const json& sent) {
                     const auto payload = shared::text_in(sent, "payload");
                     return answer_json(request, json{{"payload", shared::greeting(payload)}}.dump());
                   }));

  router.http_post(routing::path_to_params("/test/timed/raw"),
                   with_body(shared::parse_json, [wait](const Request& request, const json& sent) {
                     wait(shared::TIMED, [=, payload = shared::text_in(sent, "payload")] {
                       answer_json(request, json{{"payload", shared::greeting(payload)}}.dump());
                     });
                     return restinio::request_accepted();
                   }));

  router.http_post(routing::path_to_params("/test/bcrypt"),
                   with_body(shared::parse_json, [&threads](const Request& request, const json& sent) {
                     threads.submit([=, payload = shared::text_in(sent, "payload")] {
                       unless_misfit(request, [&] {
                         return answer_json(request, json{{"payload", shared::hash_password(payload)}}.dump());
                       });
                     });
                     return restinio::request_accepted();
                   }));

  router.http_get(routing::path_to_params("/test/status"),
                  [](const Request& request) { return answer_text(request, "OK"); });

  router.http_get(
      routing::path_to_params(
          "/test/labels/", routing::path_fragment_p() >> routing::unescape<restinio::utils::relaxed_unescape_traits>()),
      [](const Request& request, const std::string& label) { return answer_text(request, label); });

  router.http_post(routing::path_to_params("/test"),
                   with_body(shared::parse_json, [wait](const Request& request, const json& sent) {
                     wait(shared::processing(), [=, message = shared::text_in(sent, "message")] {
                       answer_json(request, json{{"message", message}, {"note", shared::processing_note()}}.dump());
                     });
                     return restinio::request_accepted();
                   }));
}
