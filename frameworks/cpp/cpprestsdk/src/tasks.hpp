#pragma once

#include <pplx/pplxtasks.h>
#include <pplx/threadpool.h>

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "shared/thread_pool.hpp"

/// Calls back after that time, on a thread of the C++ REST SDK.
inline void wait(std::chrono::microseconds time, std::function<void()> callback) {
  if (time <= time.zero()) return callback();
  auto& threads = crossplat::threadpool::shared_instance().service();
  auto timer = std::make_shared<boost::asio::steady_timer>(threads, time);
  timer->async_wait([timer, callback = std::move(callback)](const boost::system::error_code&) { callback(); });
}

/// A task that takes that time, and no thread.
inline pplx::task<void> after(std::chrono::microseconds time) {
  const pplx::task_completion_event<void> over;
  wait(time, [over] { over.set(); });
  return pplx::create_task(over);
}

/// A task in a thread of that pool: for work that would keep the C++ REST SDK's own from answering.
template <class Work>
auto run_in(shared::ThreadPool& pool, Work work) {
  const pplx::task_completion_event<decltype(work())> done;
  pool.submit([done, work = std::move(work)] {
    try {
      done.set(work());
    } catch (...) {
      done.set_exception(std::current_exception());
    }
  });
  return pplx::create_task(done);
}
