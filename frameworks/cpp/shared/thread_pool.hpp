#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace shared {

/// Threads for jobs that take much CPU time. Frameworks with event loops run them here, so that their loops go on.
class ThreadPool {
 public:
  /// Starts as many threads as there are CPUs: more threads would only take the CPUs from each other.
  explicit ThreadPool(std::size_t threads = std::thread::hardware_concurrency());

  void submit(std::function<void()> job);

 private:
  void run(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::function<void()>> jobs_;
  std::vector<std::jthread> threads_;
};

}  // namespace shared
