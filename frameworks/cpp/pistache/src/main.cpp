#include <pistache/endpoint.h>

#include <string>

#include "app.hpp"
#include "issue_tracker_raw.hpp"
#include "issue_tracker_typed.hpp"
#include "reactor.hpp"
#include "registry.hpp"
#include "shared/models.hpp"
#include "shared/raw.hpp"
#include "shared/settings.hpp"
#include "shared/termination.hpp"
#include "workload.hpp"
#include "workload_typed.hpp"

namespace {

constexpr std::size_t LONGEST_REQUEST = 1 << 20;

void answer_part(const Rest::Request& request, Http::ResponseWriter response) {
  send_json(response, shared::write(shared::Part{id_of(request)}));
}

void hello(const Rest::Request&, Http::ResponseWriter response) { send_text(response, "Hello World"); }

void add_parts(Rest::Router& router) {
  const auto part = Rest::Routes::bind(&answer_part);
  for (int number = 0; number < 10; ++number) {
    Rest::Routes::Get(router, "/route-get-" + std::to_string(number) + "/:id", part);
    Rest::Routes::Post(router, "/route-post-" + std::to_string(number) + "/:id", part);
    Rest::Routes::Put(router, "/route-put-" + std::to_string(number) + "/:id", part);
  }
}

}  // namespace

int main() {
  const shared::Termination termination;

  Source source(shared::parse_json, reactor::wait);
  shared::ThreadPool threads;
  shared::Solr solr;

  Rest::Router router;
  add_parts(router);
  Rest::Routes::Get(router, "/hello_world", Rest::Routes::bind(&hello));
  IssueTrackerRaw raw(source, router);
  IssueTrackerTyped typed(source, router);
  Workload workload(threads, router);
  WorkloadTyped workload_typed(router);
  Registry registry(solr, threads, router);

  Http::Endpoint server(
      Pistache::Address(Pistache::Ipv4::any(), Pistache::Port(static_cast<std::uint16_t>(shared::port()))));
  server.init(Http::Endpoint::options()
                  .threads(shared::workers())
                  .flags(Pistache::Tcp::Options::ReuseAddr)
                  .maxRequestSize(LONGEST_REQUEST));
  server.setHandler(Http::make_handler<App>(router));
  server.serveThreaded();

  termination.wait();
  server.shutdown();
}
