#include <cpprest/http_listener.h>
#include <pplx/threadpool.h>

#include <cstdlib>
#include <string>

#include "router.hpp"
#include "routes.hpp"
#include "shared/parameters.hpp"
#include "shared/settings.hpp"
#include "shared/termination.hpp"
#include "shared/thread_pool.hpp"
#include "source.hpp"

using web::http::http_request;
using web::http::methods;
using web::http::status_codes;
using web::http::experimental::listener::http_listener;

namespace {

pplx::task<void> part(const http_request& request, const std::string& parameter) {
  auto answer = web::json::value::object();
  answer["part"] = shared::id_of(parameter);
  return request.reply(status_codes::OK, answer);
}

void add_other_routes(Router& router) {
  for (int number = 0; number < 10; ++number) {
    const auto rest = std::to_string(number) + "/{part}";
    router.add(methods::GET, "/route-get-" + rest, part);
    router.add(methods::POST, "/route-post-" + rest, part);
    router.add(methods::PUT, "/route-put-" + rest, part);
  }
}

}  // namespace

int main() {
  const shared::Termination termination;
  crossplat::threadpool::initialize_with_threads(shared::workers());
  shared::ThreadPool pool;
  Source source;

  Router router;
  router.add(methods::GET, "/hello_world", [](const http_request& request, const std::string&) {
    return request.reply(status_codes::OK, "Hello World");
  });
  add_other_routes(router);
  add_issue_tracker_raw(router, source);
  add_issue_tracker_typed(router, source);
  add_workload(router, pool);
  add_workload_typed(router);
  add_registry(router);

  http_listener listener("http://0.0.0.0:" + std::to_string(shared::port()));
  listener.support([&router](const http_request& request) { router.answer(request); });
  listener.open().wait();
  termination.wait();
  // http_listener::close() cuts off requests that are under way, and where $WORKERS is 1 then waits for them for ever.
  std::quick_exit(EXIT_SUCCESS);
}
