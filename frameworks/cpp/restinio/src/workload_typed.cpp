#include "routes.hpp"
#include "shared/work.hpp"

using shared::Payload;

void add_workload_typed(Router& router, const shared::Wait& wait) {
  router.http_post(routing::path_to_params("/test/simple/typed"),
                   with_body(shared::read<Payload>, [](const Request& request, const Payload& sent) {
                     return answer_json(request, shared::write(Payload{shared::greeting(sent.payload)}));
                   }));

  router.http_post(routing::path_to_params("/test/timed/typed"),
                   with_body(shared::read<Payload>, [wait](const Request& request, const Payload& sent) {
                     wait(shared::TIMED,
                          [=] { answer_json(request, shared::write(Payload{shared::greeting(sent.payload)})); });
                     return restinio::request_accepted();
                   }));
}
