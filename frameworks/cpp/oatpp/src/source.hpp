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
  /// The source's own: not to be changed.
  using Row = const shared::json*;

  explicit Source(const std::shared_ptr<Timer>& timer)
      : source_(shared::Rows<shared::json>::read(shared::parse_json),
                [timer](auto time, auto callback) { timer->wait(time, std::move(callback)); }) {}

  Awaited<Row> user() {
    return await<Row>([this](auto found) { source_.user([found](const shared::json& row) { found(&row); }); });
  }

  Awaited<Row> sprint() {
    return await<Row>([this](auto found) { source_.sprint([found](const shared::json& row) { found(&row); }); });
  }

  Awaited<Row> task() {
    return await<Row>([this](auto found) { source_.task([found](const shared::json& row) { found(&row); }); });
  }

  /// The task has to live until it is saved.
  template <class Task>
  Awaited<Over> save_task(const Task& task) {
    return await<Over>([this, &task](auto saved) { source_.save_task(task, [saved] { saved({}); }); });
  }

 private:
  shared::AsyncSource<shared::json> source_;
};
