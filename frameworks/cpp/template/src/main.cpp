// Step 3: write this as the framework's own documentation would. Until then it uses cpp-httplib, and answers only
// GET /hello_world.

#include <httplib.h>

#include <cstdlib>
#include <functional>
#include <thread>

#include "shared/settings.hpp"
#include "shared/termination.hpp"

namespace {

constexpr std::size_t THREADS = 576;  // a connection needs one as long as it is kept alive

void stop_when_asked(const shared::Termination& termination) {
  termination.wait();
  std::quick_exit(EXIT_SUCCESS);
}

}  // namespace

int main() {
  const shared::Termination termination;
  httplib::Server server;
  server.new_task_queue = [] { return new httplib::ThreadPool(THREADS); };
  server.set_keep_alive_max_count(1'000);  // by default, httplib closes a connection earlier
  server.set_keep_alive_timeout(75);       // five seconds, the default, are too few where many are opened at once
  server.set_tcp_nodelay(true);
  server.Get("/hello_world", [](const httplib::Request&, httplib::Response& response) {
    response.set_content("Hello World", "text/plain; charset=utf-8");
  });
  std::thread(stop_when_asked, std::cref(termination)).detach();
  return server.listen("0.0.0.0", shared::port()) ? EXIT_SUCCESS : EXIT_FAILURE;
}
