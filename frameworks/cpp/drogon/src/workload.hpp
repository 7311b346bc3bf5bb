#pragma once

#include <string>

#include "http.hpp"
#include "shared/thread_pool.hpp"

/// The workload raw, and what has no variants.
class Workload : public drogon::HttpController<Workload, false> {
 public:
  METHOD_LIST_BEGIN
  ADD_METHOD_TO(Workload::simple, "/test/simple/raw", drogon::Post);
  ADD_METHOD_TO(Workload::timed, "/test/timed/raw", drogon::Post);
  ADD_METHOD_TO(Workload::bcrypt, "/test/bcrypt", drogon::Post);
  ADD_METHOD_TO(Workload::status, "/test/status", drogon::Get);
  ADD_METHOD_TO(Workload::label, "/test/labels/{label}", drogon::Get);
  ADD_METHOD_TO(Workload::queue, "/test", drogon::Post);
  METHOD_LIST_END

  /// `threads` take what would block an event loop.
  explicit Workload(shared::ThreadPool& threads) : threads_(threads) {}

  void simple(Json::Value&& body, Callback&& callback);
  void timed(Json::Value&& body, Callback&& callback);
  void bcrypt(Json::Value&& body, Callback&& callback);
  void status(const drogon::HttpRequestPtr& request, Callback&& callback);
  void label(const drogon::HttpRequestPtr& request, Callback&& callback, const std::string& label);
  void queue(Json::Value&& body, Callback&& callback);

 private:
  shared::ThreadPool& threads_;
};
