#include "workload_typed.hpp"

#include <utility>

using shared::Payload;

void WorkloadTyped::simple(Payload&& body, Callback&& callback) {
  callback(typed_json(Payload{shared::greeting(body.payload)}));
}

void WorkloadTyped::timed(Payload&& body, Callback&& callback) {
  call_after(shared::TIMED, [sent = std::move(body), callback = std::move(callback)] {
    callback(typed_json(Payload{shared::greeting(sent.payload)}));
  });
}
