#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>

#include "shared/rows.hpp"

namespace shared {

using Callback = std::function<void()>;

/// How a framework waits: it calls back after that time, on any thread, and blocks no thread meanwhile.
using Wait = std::function<void(std::chrono::microseconds, Callback)>;

/// The emulated data source for frameworks with event loops. It has a pool of connections, and a fetch holds one of
/// them for a while. It replaces a database, so that an app waits as real apps do. A process has one, for all threads.
template <class Json>
class AsyncSource {
 public:
  AsyncSource(const Parse<Json>& parse, Wait wait, PoolSettings pool = PoolSettings::from_environment())
      : rows_(parse), wait_(std::move(wait)), latency_(pool.latency), free_(pool.size) {}

  /// Calls `use` with what was fetched.
  template <class Use>
  void user(Use use) {
    fetch([this, use = std::move(use)]() mutable { use(rows_.user()); });
  }

  /// Fetches the sprint and its issues.
  template <class Use>
  void sprint(Use use) {
    fetch([this, use = std::move(use)]() mutable { use(rows_.sprint()); });
  }

  /// Fetches the fields of a new task that the tracker sets: its number, author, status, …
  template <class Use>
  void task(Use use) {
    fetch([this, use = std::move(use)]() mutable { use(rows_.task()); });
  }

  /// Takes as long as a write would, and keeps nothing. Calls `done` without an argument.
  template <class Task, class Done>
  void save_task(const Task&, Done done) {
    fetch([this, done = std::move(done)]() mutable {
      rows_.save_task();
      done();
    });
  }

 private:
  void fetch(Callback done) {
    {
      const std::lock_guard lock(mutex_);
      if (free_ == 0) return waiting_.push_back(std::move(done));
      --free_;
    }
    hold_connection(std::move(done));
  }

  void hold_connection(Callback done) {
    wait_(latency_, [this, done = std::move(done)] {
      pass_connection_on();
      done();
    });
  }

  void pass_connection_on() {
    Callback next;
    {
      const std::lock_guard lock(mutex_);
      if (waiting_.empty()) {
        ++free_;
        return;
      }
      next = std::move(waiting_.front());
      waiting_.pop_front();
    }
    hold_connection(std::move(next));
  }

  Rows<Json> rows_;
  const Wait wait_;
  const std::chrono::microseconds latency_;
  std::mutex mutex_;
  std::size_t free_;
  std::deque<Callback> waiting_;
};

}  // namespace shared
