#pragma once

#include <pistache/transport.h>

#include <chrono>

#include "shared/async_source.hpp"

/// Waiting on the event loop of the thread that calls.
namespace reactor {

/// The event loop of this thread: to be named before it is waited on.
void use(Pistache::Tcp::Transport* transport);

/// Calls back on this thread. A timer with a thread of its own would do, were it not that Pistache 0.0.5 may overlook
/// an answer that another thread sends, until the next one is sent.
void wait(std::chrono::microseconds time, shared::Callback callback);

}  // namespace reactor
