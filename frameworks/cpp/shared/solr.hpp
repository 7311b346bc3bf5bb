#pragma once

#include <curl/curl.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "shared/settings.hpp"

namespace shared {

/// Solr, or the cache in front of it, cannot be reached, takes too long, or answers with an error.
struct SolrUnavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The time limit of a whole request: connecting, waiting and reading.
constexpr std::chrono::milliseconds SOLR_TIMEOUT(1500);

inline std::string solr_url() { return setting("SOLR_URL", "http://localhost:8983/solr/performance"); }

/// The parameters of the request for all documents of a type, with their children nested. Not yet percent-encoded.
inline std::vector<std::pair<std::string, std::string>> solr_parameters(std::int32_t document_type) {
  // a bare minus sign is an operator of Solr's query language
  const auto type = (document_type < 0 ? "\\" : "") + std::to_string(document_type);
  return {
      {"fl", "id,document_type,int_array,string_array,child_objects,name,number,[child limit=10]"},
      {"q", "*:*"},
      {"rows", "100"},
      {"fq", "document_type:" + type},
  };
}

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
  struct Request {
    std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> handle{curl_easy_init(), curl_easy_cleanup};
    std::string url;
    std::string body;
    Answered answered;
  };

  void run(const std::stop_token& stop);
  void start_waiting();
  void finish_done();

  std::unique_ptr<CURLM, decltype(&curl_multi_cleanup)> connections_{curl_multi_init(), curl_multi_cleanup};
  std::mutex mutex_;
  std::deque<std::unique_ptr<Request>> waiting_;
  std::vector<std::unique_ptr<Request>> running_;
  std::jthread thread_;
};

}  // namespace shared
