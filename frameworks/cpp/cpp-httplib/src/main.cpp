#include <httplib.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <functional>
#include <string>
#include <thread>

#include "http.hpp"
#include "routes.hpp"
#include "shared/blocking_source.hpp"
#include "shared/models.hpp"
#include "shared/raw.hpp"
#include "shared/settings.hpp"
#include "shared/solr.hpp"
#include "shared/termination.hpp"

namespace {

using httplib::Request;
using httplib::Response;

// A connection holds a thread for as long as it is kept alive, whatever $WORKERS says: 512 of the load, and some more.
constexpr std::size_t THREADS = 576;

void add_other_routes(httplib::Server& server) {
  const auto part = [](const Request& request, Response& response) {
    response.set_content(shared::write(shared::Part{id_of(request)}), JSON);
  };
  for (int number = 0; number < 10; ++number) {
    const std::string rest = std::to_string(number) + "/:id";
    server.Get("/route-get-" + rest, part);
    server.Post("/route-post-" + rest, part);
    server.Put("/route-put-" + rest, part);
  }
}

void answer_mistake(const Request&, Response& response, std::exception_ptr thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const shared::Misfit& misfit) {
    response.status = 400;
    response.set_content(misfit.what(), TEXT);
  } catch (const shared::SolrUnavailable&) {
    response.status = 503;
  } catch (...) {
    response.status = 500;
  }
}

void stop_when_asked(const shared::Termination& termination, httplib::Server& server) {
  termination.wait();
  server.stop();
  // Requests under way are answered; connections that are idle would keep the server for as long as they are kept.
  std::this_thread::sleep_for(std::chrono::seconds(1));
  std::quick_exit(EXIT_SUCCESS);
}

}  // namespace

int main() {
  const shared::Termination termination;
  Source source(shared::parse_json);
  shared::Solr solr;

  httplib::Server server;
  server.new_task_queue = [] { return new httplib::ThreadPool(THREADS); };
  server.set_keep_alive_max_count(1'000);
  server.set_keep_alive_timeout(75);
  server.set_tcp_nodelay(true);
  server.set_exception_handler(answer_mistake);

  server.Get("/hello_world", [](const Request&, Response& response) { response.set_content("Hello World", TEXT); });
  add_other_routes(server);
  add_issue_tracker_raw(server, source);
  add_issue_tracker_typed(server, source);
  add_workload(server);
  add_workload_typed(server);
  add_registry(server, solr);

  std::thread(stop_when_asked, std::cref(termination), std::ref(server)).detach();
  return server.listen("0.0.0.0", shared::port()) ? EXIT_SUCCESS : EXIT_FAILURE;
}
