#include "workload_typed.hpp"

#include <utility>

#include "reactor.hpp"
#include "shared/work.hpp"

using shared::Payload;

WorkloadTyped::WorkloadTyped(Rest::Router& router) {
  using Rest::Routes::bind;
  Rest::Routes::Post(router, "/test/simple/typed", bind(&WorkloadTyped::simple, this));
  Rest::Routes::Post(router, "/test/timed/typed", bind(&WorkloadTyped::timed, this));
}

void WorkloadTyped::simple(const Rest::Request& request, Http::ResponseWriter response) {
  const auto sent = shared::read<Payload>(request.body());
  send_json(response, shared::write(Payload{shared::greeting(sent.payload)}));
}

void WorkloadTyped::timed(const Rest::Request& request, Http::ResponseWriter response) {
  reactor::wait(shared::TIMED, [sent = shared::read<Payload>(request.body()), response = later(std::move(response))] {
    send_json(*response, shared::write(Payload{shared::greeting(sent.payload)}));
  });
}
