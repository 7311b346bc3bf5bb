#pragma once

#include <deque>
#include <mutex>
#include <utility>

#include "http.hpp"
#include "shared/raw.hpp"
#include "shared/rows.hpp"

/// The emulated data source, as shared/async_source.hpp has it, but each fetch waits on its own session: Restbed has no
/// other timer that expires once.
class Source {
 public:
  /// Calls `use` with what was fetched.
  template <class Use>
  void user(const Session& session, Use use) {
    fetch(session, [this, use] { use(rows_.user()); });
  }

  /// Fetches the sprint and its issues.
  template <class Use>
  void sprint(const Session& session, Use use) {
    fetch(session, [this, use] { use(rows_.sprint()); });
  }

  /// Fetches the fields of a new task that the tracker sets: its number, author, status, …
  template <class Use>
  void task(const Session& session, Use use) {
    fetch(session, [this, use] { use(rows_.task()); });
  }

  /// Takes as long as a write would, and keeps nothing.
  template <class Task>
  void save_task(const Session& session, const Task&, shared::Callback done) {
    fetch(session, [this, done = std::move(done)] {
      rows_.save_task();
      done();
    });
  }

 private:
  struct Fetch {
    Session session;
    shared::Callback done;
  };

  void fetch(const Session& session, shared::Callback done);
  void hold_connection(const Fetch& fetch);
  void pass_connection_on();

  shared::Rows<shared::json> rows_{shared::parse_json};
  const shared::PoolSettings pool_ = shared::PoolSettings::from_environment();
  std::mutex mutex_;
  std::size_t free_ = pool_.size;
  std::deque<Fetch> waiting_;
};
