#include "shared/solr.hpp"

#include <algorithm>
#include <future>
#include <utility>

namespace shared {

namespace {

constexpr long KEPT_ALIVE = 64;

/// Bytes that libcurl receives at a time, at most. An answer has 174 kB, and the default of 16 kB needs eleven reads.
constexpr long BUFFER = 256 * 1024;

std::size_t append(const char* data, std::size_t size, std::size_t count, void* body) {
  static_cast<std::string*>(body)->append(data, size * count);
  return size * count;
}

std::string select_url(std::int32_t document_type) {
  std::string url = solr_url() + "/select";
  char separator = '?';
  for (const auto& [name, value] : solr_parameters(document_type)) {
    char* escaped = curl_easy_escape(nullptr, value.data(), static_cast<int>(value.size()));
    url += std::exchange(separator, '&') + name + "=" + escaped;
    curl_free(escaped);
  }
  return url;
}

}  // namespace

Solr::Solr() {
  curl_multi_setopt(connections_.get(), CURLMOPT_MAXCONNECTS, KEPT_ALIVE);
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

Solr::~Solr() {
  thread_.request_stop();
  curl_multi_wakeup(connections_.get());
  thread_.join();
  for (const auto& request : running_) curl_multi_remove_handle(connections_.get(), request->handle.get());
}

void Solr::select(std::int32_t document_type, Answered answered) {
  auto request = std::make_unique<Request>();
  request->url = select_url(document_type);
  request->answered = std::move(answered);
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(request));
  }
  curl_multi_wakeup(connections_.get());
}

std::string Solr::select(std::int32_t document_type) {
  std::promise<std::optional<std::string>> promise;
  select(document_type, [&promise](auto answer) { promise.set_value(std::move(answer)); });
  auto answer = promise.get_future().get();
  if (!answer) throw SolrUnavailable("Solr does not answer");
  return std::move(*answer);
}

void Solr::run(const std::stop_token& stop) {
  constexpr int A_SECOND = 1000;
  while (!stop.stop_requested()) {
    start_waiting();
    int running = 0;
    curl_multi_perform(connections_.get(), &running);
    finish_done();
    curl_multi_poll(connections_.get(), nullptr, 0, A_SECOND, nullptr);
  }
}

void Solr::start_waiting() {
  const std::lock_guard lock(mutex_);
  for (auto& request : waiting_) {
    CURL* handle = request->handle.get();
    curl_easy_setopt(handle, CURLOPT_URL, request->url.c_str());
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(SOLR_TIMEOUT.count()));
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_BUFFERSIZE, BUFFER);
    curl_easy_setopt(handle, CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, append);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &request->body);
    curl_multi_add_handle(connections_.get(), handle);
    running_.push_back(std::move(request));
  }
  waiting_.clear();
}

void Solr::finish_done() {
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(connections_.get(), &left)) {
    CURL* handle = message->easy_handle;
    const bool failed = message->data.result != CURLE_OK;
    const auto found = std::ranges::find(running_, handle, [](const auto& request) { return request->handle.get(); });
    const auto request = std::move(*found);
    running_.erase(found);
    curl_multi_remove_handle(connections_.get(), handle);
    request->answered(failed ? std::nullopt : std::optional(std::move(request->body)));
  }
}

}  // namespace shared
