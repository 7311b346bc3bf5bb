#pragma once

#include <cpprest/json.h>
#include <pplx/pplxtasks.h>

#include <string>

#include "shared/async_source.hpp"
#include "tasks.hpp"

/// The shared data source with tasks in the place of callbacks.
class Source {
 public:
  using User = shared::Fetched<shared::Users, web::json::value>;
  using Sprint = shared::Fetched<shared::Boards, web::json::value>;
  using Task = shared::Fetched<shared::Tasks, web::json::value>;

  pplx::task<User> user() {
    return fetched<User>([this](auto use) { source_.user(use); });
  }

  pplx::task<Sprint> sprint() {
    return fetched<Sprint>([this](auto use) { source_.sprint(use); });
  }

  pplx::task<Task> task() {
    return fetched<Task>([this](auto use) { source_.task(use); });
  }

  template <class Sent>
  pplx::task<void> save_task(const Sent& task) {
    const pplx::task_completion_event<void> saved;
    source_.save_task(task, [saved] { saved.set(); });
    return pplx::create_task(saved);
  }

 private:
  template <class Fetched, class Fetch>
  static pplx::task<Fetched> fetched(Fetch fetch) {
    const pplx::task_completion_event<Fetched> done;
    fetch([done](const Fetched& fetched) { done.set(fetched); });
    return pplx::create_task(done);
  }

  static web::json::value parse(const std::string& text) { return web::json::value::parse(text); }

  shared::AsyncSource<web::json::value> source_{parse, wait};
};
