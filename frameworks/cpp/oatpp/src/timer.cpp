#include "timer.hpp"

#include <utility>

Timer::Timer() : thread_([this](const std::stop_token& stop) { run(stop); }) {}

void Timer::wait(std::chrono::microseconds time, shared::Callback callback) {
  if (time <= time.zero()) return callback();
  bool is_next = false;
  {
    const std::lock_guard lock(mutex_);
    const auto added = callbacks_.emplace(Clock::now() + time, std::move(callback));
    is_next = added == callbacks_.begin();
  }
  if (is_next) changed_.notify_one();
}

void Timer::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    if (callbacks_.empty()) {
      changed_.wait(lock, stop, [this] { return !callbacks_.empty(); });
      continue;
    }
    const auto next = callbacks_.begin()->first;
    if (next > Clock::now()) {
      changed_.wait_until(lock, stop, next, [this, next] { return callbacks_.begin()->first < next; });
      continue;
    }
    const auto due = callbacks_.extract(callbacks_.begin());
    lock.unlock();
    due.mapped()();
    lock.lock();
  }
}
