#pragma once

#include <memory>
#include <utility>

#include "awaiting.hpp"
#include "shared/async_source.hpp"
#include "shared/json.hpp"
#include "timer.hpp"

/// The shared data source with coroutines in the place of callbacks.
class Source {
 public:
  using Fetched = shared::Fetched<shared::json>;

  explicit Source(const std::shared_ptr<Timer>& timer)
      : source_(shared::parse_json, [timer](auto time, auto callback) { timer->wait(time, std::move(callback)); }) {}

  Awaited<Fetched> user() {
    return await<Fetched>([this](auto found) { source_.user(std::move(found)); });
  }

  Awaited<Fetched> sprint() {
    return await<Fetched>([this](auto found) { source_.sprint(std::move(found)); });
  }

  Awaited<Fetched> task() {
    return await<Fetched>([this](auto found) { source_.task(std::move(found)); });
  }

  /// The task has to live until it is saved.
  template <class Task>
  Awaited<Over> save_task(const Task& task) {
    return await<Over>([this, &task](auto saved) { source_.save_task(task, [saved] { saved({}); }); });
  }

 private:
  shared::AsyncSource<shared::json> source_;
};
