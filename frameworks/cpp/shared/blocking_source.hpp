#pragma once

#include <semaphore>
#include <thread>

#include "shared/rows.hpp"

namespace shared {

/// The emulated data source for frameworks with a thread per connection. It has a pool of connections, and a fetch
/// holds one of them for a while. It replaces a database, so that an app waits as real apps do. A process has one.
template <class Json>
class BlockingSource {
 public:
  explicit BlockingSource(const Parse<Json>& parse, PoolSettings pool = PoolSettings::from_environment())
      : rows_(parse), latency_(pool.latency), free_(static_cast<std::ptrdiff_t>(pool.size)) {}

  Fetched<Users, Json> user() {
    use_connection();
    return rows_.user();
  }

  /// The sprint and its issues.
  Fetched<Boards, Json> sprint() {
    use_connection();
    return rows_.sprint();
  }

  /// The fields of a new task that the tracker sets: its number, author, status, …
  Fetched<Tasks, Json> task() {
    use_connection();
    return rows_.task();
  }

  /// Takes as long as a write would, and keeps nothing.
  template <class Task>
  void save_task(const Task&) {
    use_connection();
    rows_.save_task();
  }

 private:
  void use_connection() {
    free_.acquire();
    std::this_thread::sleep_for(latency_);
    free_.release();
  }

  Rows<Json> rows_;
  const std::chrono::microseconds latency_;
  std::counting_semaphore<> free_;
};

}  // namespace shared
