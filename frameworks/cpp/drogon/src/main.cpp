#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>

#include "http.hpp"
#include "issue_tracker_raw.hpp"
#include "issue_tracker_typed.hpp"
#include "registry.hpp"
#include "shared/misfit.hpp"
#include "shared/models.hpp"
#include "shared/parameters.hpp"
#include "shared/settings.hpp"
#include "workload.hpp"
#include "workload_typed.hpp"

namespace {

using drogon::HttpRequestPtr;

void hello(const HttpRequestPtr&, Callback&& callback) { callback(text("Hello World")); }

// The parameter is a text because Drogon would make the number 1 of 1x.
void answer_part(const HttpRequestPtr&, Callback&& callback, const std::string& part) {
  callback(typed_json(shared::Part{shared::id_of(part)}));
}

void add_parts(drogon::HttpAppFramework& app) {
  for (int number = 0; number < 10; ++number) {
    const std::string rest = std::to_string(number) + "/{part}";
    app.registerHandler("/route-get-" + rest, &answer_part, {drogon::Get});
    app.registerHandler("/route-post-" + rest, &answer_part, {drogon::Post});
    app.registerHandler("/route-put-" + rest, &answer_part, {drogon::Put});
  }
}

void answer_exception(const std::exception& thrown, const HttpRequestPtr&, Callback&& callback) {
  if (dynamic_cast<const shared::Misfit*>(&thrown)) return callback(text(thrown.what(), drogon::k400BadRequest));
  LOG_ERROR << thrown.what();
  callback(text("Internal Server Error", drogon::k500InternalServerError));
}

}  // namespace

int main() {
  Source source(parse_json, call_after);
  shared::Solr solr;
  shared::ThreadPool threads;

  auto& app = drogon::app();
  add_parts(app);
  app.registerHandler("/hello_world", &hello, {drogon::Get});
  app.registerController(std::make_shared<IssueTrackerRaw>(source));
  app.registerController(std::make_shared<IssueTrackerTyped>(source));
  app.registerController(std::make_shared<Workload>(threads));
  app.registerController(std::make_shared<WorkloadTyped>());
  app.registerController(std::make_shared<Registry>(solr));
  app.setExceptionHandler(answer_exception);

  app.setLogLevel(trantor::Logger::kWarn)
      .setDocumentRoot("/tmp/drogon")  // by default, it is the folder that the app was started in
      .setUploadPath("uploads")
      .addListener("0.0.0.0", static_cast<std::uint16_t>(shared::port()))
      .setThreadNum(static_cast<std::size_t>(shared::workers()))
      .run();
  std::quick_exit(EXIT_SUCCESS);  // hashes and requests to Solr would call back on event loops that have ended
}
