#pragma once

#include <curl/curl.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "shared/solr_query.hpp"

namespace shared {

/// A client of Solr. One thread drives libcurl's connections, which are kept alive.
class Solr {
 public:
  /// Gets Solr's JSON, or nothing where Solr is not available.
  using Answered = std::function<void(std::optional<std::string>)>;

  Solr();
  ~Solr();
  Solr(const Solr&) = delete;
  Solr& operator=(const Solr&) = delete;

  /// For event loops. Calls back on the client's thread. Only hand the answer over to the framework's own thread there.
  void select(std::int32_t document_type, Answered answered);

  /// For threads that may block. Throws SolrUnavailable.
  std::string select(std::int32_t document_type);

 private:
  template <auto cleanup>
  struct CleanUp {
    template <class Handle>
    void operator()(Handle* handle) const {
      cleanup(handle);
    }
  };

  struct Request {
    std::unique_ptr<CURL, CleanUp<curl_easy_cleanup>> handle;
    std::string url;
    std::string body;
    Answered answered;
  };

  void run(const std::stop_token& stop);
  void start_waiting();
  void finish_done();

  std::unique_ptr<CURLM, CleanUp<curl_multi_cleanup>> connections_;
  std::mutex mutex_;
  std::deque<std::unique_ptr<Request>> waiting_;
  std::vector<std::unique_ptr<Request>> running_;
  std::jthread thread_;
};

}  // namespace shared
