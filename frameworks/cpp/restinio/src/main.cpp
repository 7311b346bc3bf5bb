#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "routes.hpp"
#include "shared/models.hpp"
#include "shared/raw.hpp"
#include "shared/settings.hpp"
#include "shared/termination.hpp"

namespace asio = restinio::asio_ns;

namespace {

struct Traits : restinio::default_traits_t {
  using request_handler_t = Router;
};

/// Longer than anything takes here: many requests wait at a time for a hash. By default it is ten seconds.
constexpr std::chrono::minutes PATIENCE(5);

/// How many requests of a connection may be under way. By default it is one, and the next one is read after its answer.
constexpr std::size_t PIPELINED = 16;

Handling answer_part(const Request& request, std::int32_t part) {
  return answer_json(request, shared::write(shared::Part{part}));
}

void add_parts(Router& router) {
  for (int number = 0; number < 10; ++number) {
    router.http_get(routing::path_to_params("/route-get-" + std::to_string(number) + "/", id()), answer_part);
    router.http_post(routing::path_to_params("/route-post-" + std::to_string(number) + "/", id()), answer_part);
    router.http_put(routing::path_to_params("/route-put-" + std::to_string(number) + "/", id()), answer_part);
  }
}

void add_hello(Router& router) {
  router.http_get(routing::path_to_params("/hello_world"),
                  [](const Request& request) { return answer_text(request, "Hello World"); });
}

/// Waits on the event loop.
shared::Wait waiting_on(asio::io_context& loop) {
  return [&loop](std::chrono::microseconds time, shared::Callback callback) {
    if (time <= time.zero()) return callback();
    const auto timer = std::make_shared<asio::steady_timer>(loop, time);
    timer->async_wait([timer, callback = std::move(callback)](const asio::error_code&) { callback(); });
  };
}

}  // namespace

int main() {
  const shared::Termination termination;

  asio::io_context loop;
  const shared::Wait wait = waiting_on(loop);
  Source source(shared::parse_json, wait);
  shared::Solr solr;
  shared::ThreadPool threads;

  auto router = std::make_unique<Router>();
  add_parts(*router);
  add_hello(*router);
  add_issue_tracker_raw(*router, source);
  add_issue_tracker_typed(*router, source);
  add_workload(*router, wait, threads);
  add_workload_typed(*router, wait);
  add_registry(*router, solr, loop);
  router->non_matched_request_handler(
      [](const Request& request) { return answer_text(request, "Not found", restinio::status_not_found()); });

  const auto server = restinio::run_async(restinio::external_io_context(loop),
                                          restinio::server_settings_t<Traits>{}
                                              .address("0.0.0.0")
                                              .port(static_cast<std::uint16_t>(shared::port()))
                                              .request_handler(std::move(router))
                                              .max_pipelined_requests(PIPELINED)
                                              .handle_request_timeout(PATIENCE),
                                          static_cast<std::size_t>(shared::workers()));
  termination.wait();
}
