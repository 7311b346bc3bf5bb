#include "routes.hpp"
#include "shared/work.hpp"
#include "tasks.hpp"

using shared::Message;
using shared::Payload;
using web::http::http_request;
using web::http::methods;
using web::http::status_codes;

void add_workload(Router& router, shared::ThreadPool& pool) {
  router.add(methods::POST, "/test/simple", [](http_request request, const std::string&) {
    return read<Payload>(request).then([request](const Payload& payload) {
      return request.reply(status_codes::OK, write(shared::greeting(payload)));
    });
  });

  router.add(methods::POST, "/test/timed", [](http_request request, const std::string&) {
    return read<Payload>(request).then([request](const Payload& payload) {
      return after(shared::TIMED).then([request, payload] {
        return request.reply(status_codes::OK, write(shared::greeting(payload)));
      });
    });
  });

  router.add(methods::POST, "/test/bcrypt", [&pool](http_request request, const std::string&) {
    return read<Payload>(request)
        .then([&pool](const Payload& payload) {
          return run_in(pool, [payload] { return shared::hash_password(payload); });
        })
        .then([request](const Payload& hash) { return request.reply(status_codes::OK, write(hash)); });
  });

  router.add(methods::GET, "/test/status",
             [](http_request request, const std::string&) { return request.reply(status_codes::OK, "OK"); });

  router.add(methods::GET, "/test/labels/{label}",
             [](http_request request, const std::string& label) { return request.reply(status_codes::OK, label); });

  router.add(methods::POST, "/test", [](http_request request, const std::string&) {
    return read<Message>(request).then([request](const Message& message) {
      return after(shared::processing()).then([request, message] {
        return request.reply(status_codes::OK, write(shared::handled(message)));
      });
    });
  });
}
