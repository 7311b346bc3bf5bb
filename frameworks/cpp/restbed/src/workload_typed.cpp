#include "routes.hpp"
#include "shared/work.hpp"

using shared::Payload;

void add_workload_typed(restbed::Service& service) {
  const Handler simple = with_body(shared::read<Payload>, [](const Session& session, const Payload& sent) {
    answer_json(session, shared::write(Payload{shared::greeting(sent.payload)}));
  });

  const Handler timed = with_body(shared::read<Payload>, [](const Session& session, const Payload& sent) {
    wait(session, shared::TIMED, [=] { answer_json(session, shared::write(Payload{shared::greeting(sent.payload)})); });
  });

  publish(service, "/test/simple/typed", {{"POST", simple}});
  publish(service, "/test/timed/typed", {{"POST", timed}});
}
