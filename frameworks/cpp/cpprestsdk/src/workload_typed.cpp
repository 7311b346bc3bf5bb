#include "routes.hpp"
#include "tasks.hpp"

using shared::Payload;
using web::http::http_request;
using web::http::methods;
using web::http::status_codes;

void add_workload_typed(Router& router) {
  router.add(methods::POST, "/test/simple/typed", [](http_request request, const std::string&) {
    return read<Payload>(request).then([request](const Payload& sent) {
      return request.reply(status_codes::OK, as_json(Payload{shared::greeting(sent.payload)}));
    });
  });

  router.add(methods::POST, "/test/timed/typed", [](http_request request, const std::string&) {
    return read<Payload>(request).then([request](const Payload& sent) {
      return after(shared::TIMED).then([request, sent] {
        return request.reply(status_codes::OK, as_json(Payload{shared::greeting(sent.payload)}));
      });
    });
  });
}
