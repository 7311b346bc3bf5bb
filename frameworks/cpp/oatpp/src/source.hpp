#pragma once

#include <memory>
#include <utility>

#include "awaiting.hpp"
#include "shared/async_source.hpp"
#include "shared/raw.hpp"
#include "timer.hpp"

/// The shared data source with coroutines in the place of callbacks.
class Source {
 public:
  using User = shared::Fetched<shared::Users, shared::json>;
  using Sprint = shared::Fetched<shared::Boards, shared::json>;
  using Task = shared::Fetched<shared::Tasks, shared::json>;

  explicit Source(const std::shared_ptr<Timer>& timer)
      : source_(shared::parse_json, [timer](auto time, auto callback) { timer->wait(time, std::move(callback)); }) {}

  Awaited<User> user() {
    return await<User>([this](auto found) { source_.user(std::move(found)); });
  }

  Awaited<Sprint> sprint() {
    return await<Sprint>([this](auto found) { source_.sprint(std::move(found)); });
  }

  Awaited<Task> task() {
    return await<Task>([this](auto found) { source_.task(std::move(found)); });
  }

  /// The task has to live until it is saved.
  template <class Sent>
  Awaited<Over> save_task(const Sent& task) {
    return await<Over>([this, &task](auto saved) { source_.save_task(task, [saved] { saved({}); }); });
  }

 private:
  shared::AsyncSource<shared::json> source_;
};
