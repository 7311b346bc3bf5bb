#include "reactor.hpp"

#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

namespace reactor {

namespace {

namespace Async = Pistache::Async;
using std::chrono::milliseconds;

// From one second on, Pistache's timers count in whole seconds.
constexpr milliseconds LONGEST(999);

thread_local Pistache::Tcp::Transport* current = nullptr;

}  // namespace

void use(Pistache::Tcp::Transport* transport) { current = transport; }

void wait(std::chrono::microseconds time, shared::Callback callback) {
  const auto first = std::min(std::chrono::ceil<milliseconds>(time), LONGEST);
  if (first <= milliseconds::zero()) return callback();

  const Pistache::Fd timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  Async::Promise<std::uint64_t> expired(
      [=](Async::Deferred<std::uint64_t> deferred) { current->armTimer(timer, first, std::move(deferred)); });
  expired.then(
      [=, rest = time - first, once = std::make_shared<shared::Callback>(std::move(callback))](std::uint64_t) {
        wait(rest, std::move(*once));
        close(timer);  // not before: Pistache still knows it, and a new one must not get its number
      },
      Async::NoExcept);
}

}  // namespace reactor
