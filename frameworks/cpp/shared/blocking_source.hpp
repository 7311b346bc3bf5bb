#pragma once

#include <semaphore>
#include <thread>
#include <utility>

#include "shared/rows.hpp"

namespace shared {

/// The emulated data source for frameworks with a thread per connection. It has a pool of connections, and a fetch
/// holds one of them for a while. It replaces a database, so that an app waits as real apps do. A process has one.
template <class Json>
class BlockingSource {
 public:
  explicit BlockingSource(Rows<Json> rows, PoolSettings pool = PoolSettings::from_environment())
      : rows_(std::move(rows)), latency_(pool.latency), free_(static_cast<std::ptrdiff_t>(pool.size)) {}

  const Json& user() { return fetch(rows_.user); }

  /// The sprint and its issues.
  const Json& sprint() { return fetch(rows_.sprint); }

  /// The fields of a new task that the tracker sets: its number, author, status, …
  const Json& task() { return fetch(rows_.task); }

  /// Takes as long as a write would, and keeps nothing.
  template <class Task>
  void save_task(const Task& task) {
    fetch(task);
  }

 private:
  template <class Row>
  const Row& fetch(const Row& row) {
    free_.acquire();
    std::this_thread::sleep_for(latency_);
    free_.release();
    return row;
  }

  const Rows<Json> rows_;
  const std::chrono::microseconds latency_;
  std::counting_semaphore<> free_;
};

}  // namespace shared
