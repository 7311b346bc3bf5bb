#pragma once

#include <semaphore>
#include <thread>
#include <utility>

#include "shared/rows.hpp"

namespace shared {

/// The emulated data source for frameworks with a thread per connection: a pool of connections, and fetches that hold
/// one of them for a while. It stands in for a database, so that an app waits as apps do. One per process.
template <class Json>
class BlockingSource {
 public:
  explicit BlockingSource(Rows<Json> rows, PoolSettings pool = PoolSettings::from_environment())
      : rows_(std::move(rows)), latency_(pool.latency), free_(static_cast<std::ptrdiff_t>(pool.size)) {}

  const Json& user() { return fetch(rows_.user); }

  /// The sprint, and its issues.
  const Json& sprint() { return fetch(rows_.sprint); }

  /// What the tracker itself knows of a new task: its number, author, status, …
  const Json& task() { return fetch(rows_.task); }

  /// Takes as long as a write would; nothing is kept.
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
