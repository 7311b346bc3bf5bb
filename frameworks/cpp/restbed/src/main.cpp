#include <csignal>
#include <cstdint>
#include <memory>
#include <string>

#include "routes.hpp"
#include "shared/models.hpp"
#include "shared/settings.hpp"

namespace {

/// How many connections may wait to be accepted.
constexpr unsigned CONNECTIONS = 1024;

void answer_part(const Session& session) {
  fetch_body(session, [](const Session& session, const std::string&) {
    answer_json(session, shared::write(shared::Part{id_of(session)}));
  });
}

void add_parts(restbed::Service& service) {
  for (int number = 0; number < 10; ++number) {
    publish(service, "/route-get-" + std::to_string(number) + "/{id: [0-9]+}", {{"GET", answer_part}});
    publish(service, "/route-post-" + std::to_string(number) + "/{id: [0-9]+}", {{"POST", answer_part}});
    publish(service, "/route-put-" + std::to_string(number) + "/{id: [0-9]+}", {{"PUT", answer_part}});
  }
}

void add_hello(restbed::Service& service) {
  publish(service, "/hello_world", {{"GET", [](const Session& session) { answer_text(session, "Hello World"); }}});
}

/// A handler that answers with that status. It fetches the body first, which would else be read as the next request.
Handler refusing_with(int status) {
  return [status](const Session& session) {
    fetch_body(session, [status](const Session& session, const std::string&) { answer_nothing(session, status); });
  };
}

std::shared_ptr<restbed::Settings> settings() {
  const auto settings = std::make_shared<restbed::Settings>();
  settings->set_bind_address("0.0.0.0");
  settings->set_port(static_cast<std::uint16_t>(shared::port()));
  settings->set_worker_limit(static_cast<unsigned>(shared::workers()));
  settings->set_connection_limit(CONNECTIONS);
  settings->set_keep_alive(true);
  settings->set_case_insensitive_uris(false);
  return settings;
}

}  // namespace

int main() {
  restbed::Service service;
  Source source;
  shared::Solr solr;
  shared::ThreadPool threads;

  add_parts(service);
  add_hello(service);
  add_issue_tracker_raw(service, source);
  add_issue_tracker_typed(service, source);
  add_workload(service, threads);
  add_workload_typed(service);
  add_registry(service, solr);

  service.set_not_found_handler(refusing_with(restbed::NOT_FOUND));
  service.set_method_not_allowed_handler(refusing_with(restbed::METHOD_NOT_ALLOWED));
  service.set_method_not_implemented_handler(refusing_with(restbed::METHOD_NOT_ALLOWED));
  service.set_error_handler(answer_error);
  for (const int signal : {SIGTERM, SIGINT}) service.set_signal_handler(signal, [&service](int) { service.stop(); });

  service.start(settings());
}
