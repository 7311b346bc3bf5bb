#include "routes.hpp"
#include "shared/work.hpp"

using shared::Message;
using shared::Payload;

void add_workload(Router& router, const shared::Wait& wait, shared::ThreadPool& threads) {
  router.http_post(routing::path_to_params("/test/simple"),
                   with_body(shared::read<Payload>, [](const Request& request, const Payload& payload) {
                     return answer_json(request, shared::write(shared::greeting(payload)));
                   }));

  router.http_post(routing::path_to_params("/test/timed"),
                   with_body(shared::read<Payload>, [wait](const Request& request, const Payload& payload) {
                     wait(shared::TIMED, [=] { answer_json(request, shared::write(shared::greeting(payload))); });
                     return restinio::request_accepted();
                   }));

  router.http_post(
      routing::path_to_params("/test/bcrypt"),
      with_body(shared::read<Payload>, [&threads](const Request& request, const Payload& payload) {
        threads.submit([=] {
          unless_misfit(request, [&] { return answer_json(request, shared::write(shared::hash_password(payload))); });
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
                   with_body(shared::read<Message>, [wait](const Request& request, const Message& message) {
                     wait(shared::processing(), [=] { answer_json(request, shared::write(shared::handled(message))); });
                     return restinio::request_accepted();
                   }));
}
