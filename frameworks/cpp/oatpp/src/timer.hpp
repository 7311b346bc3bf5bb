#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "awaiting.hpp"
#include "shared/async_source.hpp"

/// Calls back after a time. Oat++'s own timer looks at what waits every 100 ms, and the data source takes 1 ms.
class Timer {
 public:
  Timer();

  /// Calls back on the timer's thread, or at once if there is nothing to wait for.
  void wait(std::chrono::microseconds time, shared::Callback callback);

  Awaited<Over> after(std::chrono::microseconds time) {
    return await<Over>([this, time](auto over) { wait(time, [over] { over({}); }); });
  }

 private:
  using Clock = std::chrono::steady_clock;

  void run(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::multimap<Clock::time_point, shared::Callback> callbacks_;
  std::jthread thread_;
};
