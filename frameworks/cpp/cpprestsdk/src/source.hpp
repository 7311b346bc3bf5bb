#pragma once

#include <cpprest/json.h>
#include <pplx/pplxtasks.h>

#include <string>

#include "shared/async_source.hpp"
#include "tasks.hpp"

/// The shared data source with tasks in the place of callbacks.
class Source {
 public:
  /// The source's own: not to be changed.
  using Row = const web::json::value*;

  pplx::task<Row> user() {
    return fetched([this](auto use) { source_.user(use); });
  }

  pplx::task<Row> sprint() {
    return fetched([this](auto use) { source_.sprint(use); });
  }

  pplx::task<Row> task() {
    return fetched([this](auto use) { source_.task(use); });
  }

  template <class Task>
  pplx::task<void> save_task(const Task& task) {
    const pplx::task_completion_event<void> saved;
    source_.save_task(task, [saved] { saved.set(); });
    return pplx::create_task(saved);
  }

 private:
  template <class Fetch>
  static pplx::task<Row> fetched(Fetch fetch) {
    const pplx::task_completion_event<Row> row;
    fetch([row](const web::json::value& found) { row.set(&found); });
    return pplx::create_task(row);
  }

  static web::json::value parse(const std::string& text) { return web::json::value::parse(text); }

  shared::AsyncSource<web::json::value> source_{shared::Rows<web::json::value>::read(parse), wait};
};
