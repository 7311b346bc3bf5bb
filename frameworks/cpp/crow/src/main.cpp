#include <cstdint>
#include <string>

#include "http.hpp"
#include "routes.hpp"
#include "shared/settings.hpp"

using crow::HTTPMethod;

namespace {

// A handler cannot answer after it has returned (https://github.com/CrowCpp/Crow/issues/843), so it blocks its thread
// while it waits, and with it the thread's other connections. So a worker has many threads, and most of them wait.
constexpr int THREADS_OF_A_WORKER = 64;

void add_parts(crow::SimpleApp& app) {
  const auto part = [](std::uint64_t number) { return crow::json::wvalue({{"part", id_of(number)}}); };
  // CROW_ROUTE takes only literals: this is what it stands for
  constexpr auto ONE_INTEGER = crow::black_magic::get_parameter_tag("<uint>");
  for (int number = 0; number < 10; ++number) {
    const std::string rest = std::to_string(number) + "/<uint>";
    app.route<ONE_INTEGER>("/route-get-" + rest)(part);
    app.route<ONE_INTEGER>("/route-post-" + rest).methods(HTTPMethod::POST)(part);
    app.route<ONE_INTEGER>("/route-put-" + rest).methods(HTTPMethod::PUT)(part);
  }
}

}  // namespace

int main() {
  Source source([](const std::string& text) { return crow::json::load(text); });
  shared::Solr solr;

  crow::SimpleApp app;
  add_parts(app);
  CROW_ROUTE(app, "/hello_world")([] { return text("Hello World"); });
  add_issue_tracker_raw(app, source);
  add_issue_tracker_typed(app, source);
  add_workload(app);
  add_workload_typed(app);
  add_registry(app, solr);
  app.exception_handler(answer_exception);

  app.port(static_cast<std::uint16_t>(shared::port()))
      .concurrency(static_cast<unsigned>(THREADS_OF_A_WORKER * shared::workers()))
      .loglevel(crow::LogLevel::Warning)
      .run();
}
