#include "routes.hpp"
#include "shared/work.hpp"
#include "tasks.hpp"

using web::http::http_request;
using web::http::methods;
using web::http::status_codes;
using web::json::value;

namespace {

/// Returns the text under that name of the body. The task throws what the C++ REST SDK throws where there is none.
pplx::task<std::string> read_text(const http_request& request, const std::string& name) {
  return request.extract_json().then([name](const value& body) { return body.at(name).as_string(); });
}

value payload_json(const std::string& payload) {
  auto answer = value::object();
  answer["payload"] = value(payload);
  return answer;
}

value handled_json(const std::string& message) {
  auto answer = value::object();
  answer["message"] = value(message);
  answer["note"] = value(shared::processing_note());
  return answer;
}

}  // namespace

void add_workload(Router& router, shared::ThreadPool& pool) {
  router.add(methods::POST, "/test/simple/raw", [](http_request request, const std::string&) {
    return read_text(request, "payload").then([request](const std::string& payload) {
      return request.reply(status_codes::OK, payload_json(shared::greeting(payload)));
    });
  });

  router.add(methods::POST, "/test/timed/raw", [](http_request request, const std::string&) {
    return read_text(request, "payload").then([request](const std::string& payload) {
      return after(shared::TIMED).then([request, payload] {
        return request.reply(status_codes::OK, payload_json(shared::greeting(payload)));
      });
    });
  });

  router.add(methods::POST, "/test/bcrypt", [&pool](http_request request, const std::string&) {
    return read_text(request, "payload")
        .then([&pool](const std::string& payload) {
          return run_in(pool, [payload] { return shared::hash_password(payload); });
        })
        .then([request](const std::string& hash) { return request.reply(status_codes::OK, payload_json(hash)); });
  });

  router.add(methods::GET, "/test/status",
             [](http_request request, const std::string&) { return request.reply(status_codes::OK, "OK"); });

  router.add(methods::GET, "/test/labels/{label}",
             [](http_request request, const std::string& label) { return request.reply(status_codes::OK, label); });

  router.add(methods::POST, "/test", [](http_request request, const std::string&) {
    return read_text(request, "message").then([request](const std::string& message) {
      return after(shared::processing()).then([request, message] {
        return request.reply(status_codes::OK, handled_json(message));
      });
    });
  });
}
