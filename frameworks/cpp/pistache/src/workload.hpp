#pragma once

#include "http.hpp"
#include "shared/thread_pool.hpp"

/// The workload raw, and what has no variants.
class Workload {
 public:
  /// `threads` take what would block the event loop.
  Workload(shared::ThreadPool& threads, Rest::Router& router);

 private:
  void simple(const Rest::Request& request, Http::ResponseWriter response);
  void timed(const Rest::Request& request, Http::ResponseWriter response);
  void bcrypt(const Rest::Request& request, Http::ResponseWriter response);
  void status(const Rest::Request& request, Http::ResponseWriter response);
  void label(const Rest::Request& request, Http::ResponseWriter response);
  void queue(const Rest::Request& request, Http::ResponseWriter response);

  shared::ThreadPool& threads_;
};
