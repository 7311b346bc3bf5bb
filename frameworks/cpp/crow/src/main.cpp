#include <sys/resource.h>

#include <cstdint>
#include <string>

#include "http.hpp"
#include "routes.hpp"
#include "shared/settings.hpp"

using crow::HTTPMethod;

namespace {

// A handler cannot answer after it has returned (https://github.com/CrowCpp/Crow/issues/843), so it blocks its thread
// while it waits, and with it the thread's other connections. Crow gives a new connection to the thread with the
// fewest. So there are more threads than connections that may be open, whatever $WORKERS says. Most of them wait.
constexpr unsigned THREADS = 768;

constexpr std::uint8_t KEEP_ALIVE_SECONDS = 75;

/// Each of Crow's threads has an event loop with three files. Together these are more than the usual soft limit, 1,024.
void allow_many_files() {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

void add_parts(crow::SimpleApp& app) {
  const auto part = [](std::int64_t number) { return crow::json::wvalue({{"part", id_of(number)}}); };
  // CROW_ROUTE takes only literals: this is what it stands for
  constexpr auto ONE_INTEGER = crow::black_magic::get_parameter_tag("<int>");
  for (int number = 0; number < 10; ++number) {
    const std::string rest = std::to_string(number) + "/<int>";
    app.route<ONE_INTEGER>("/route-get-" + rest)(part);
    app.route<ONE_INTEGER>("/route-post-" + rest).methods(HTTPMethod::POST)(part);
    app.route<ONE_INTEGER>("/route-put-" + rest).methods(HTTPMethod::PUT)(part);
  }
}

}  // namespace

int main() {
  allow_many_files();
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
      .concurrency(THREADS)
      .timeout(KEEP_ALIVE_SECONDS)
      .loglevel(crow::LogLevel::Warning)
      .run();
}
