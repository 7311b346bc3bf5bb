#include "routes.hpp"
#include "shared/raw.hpp"
#include "shared/work.hpp"

void add_workload(Router& router, const shared::Wait& wait, shared::ThreadPool& threads) {
  router.http_post(routing::path_to_params("/test/simple/raw"),
                   with_body(shared::read_payload, [](const Request& request, const std::string& payload) {
                     return answer_json(request, shared::payload_json(shared::greeting(payload)));
                   }));

  router.http_post(routing::path_to_params("/test/timed/raw"),
                   with_body(shared::read_payload, [wait](const Request& request, const std::string& payload) {
                     wait(shared::TIMED,
                          [=] { answer_json(request, shared::payload_json(shared::greeting(payload))); });
                     return restinio::request_accepted();
                   }));

  router.http_post(routing::path_to_params("/test/bcrypt"),
                   with_body(shared::read_payload, [&threads](const Request& request, const std::string& payload) {
                     threads.submit([=] {
                       unless_misfit(request, [&] {
                         return answer_json(request, shared::payload_json(shared::hash_password(payload)));
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
                   with_body(shared::read_message, [wait](const Request& request, const std::string& message) {
                     wait(shared::processing(), [=] { answer_json(request, shared::handled_json(message)); });
                     return restinio::request_accepted();
                   }));
}
