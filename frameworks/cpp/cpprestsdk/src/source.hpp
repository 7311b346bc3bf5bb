#pragma once

#include <cpprest/json.h>
#include <pplx/pplxtasks.h>

#include <string>

#include "json_traits.hpp"
#include "shared/async_source.hpp"
#include "tasks.hpp"

/// The shared data source with tasks in the place of callbacks.
class Source {
 public:
  using Fetched = shared::Fetched<web::json::value>;

  pplx::task<Fetched> user() {
    return fetched([this](auto use) { source_.user(use); });
  }

  pplx::task<Fetched> sprint() {
    return fetched([this](auto use) { source_.sprint(use); });
  }

  pplx::task<Fetched> task() {
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
  static pplx::task<Fetched> fetched(Fetch fetch) {
    const pplx::task_completion_event<Fetched> done;
    fetch([done](const Fetched& fetched) { done.set(fetched); });
    return pplx::create_task(done);
  }

  static web::json::value parse(const std::string& text) { return web::json::value::parse(text); }

  shared::AsyncSource<web::json::value> source_{parse, wait};
};
