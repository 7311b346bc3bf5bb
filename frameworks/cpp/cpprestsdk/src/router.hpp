#pragma once

#include <cpprest/http_msg.h>
#include <pplx/pplxtasks.h>

#include <functional>
#include <string>
#include <vector>

/// Finds who answers a request by its method and path, which the C++ REST SDK leaves to its users.
class Router {
 public:
  /// Gets the request, and the segment of its path that stands where the route's has a {name}, percent-decoded.
  using Handler = std::function<pplx::task<void>(web::http::http_request, const std::string& parameter)>;

  /// Routes are tried in the order in which they are added.
  void add(web::http::method method, const std::string& path, Handler handler);

  /// Has the request answered: by 404 where there is no route, by 400 or 503 where a handler throws.
  void answer(web::http::http_request request) const;

 private:
  struct Route {
    web::http::method method;
    std::vector<std::string> segments;
    Handler handler;
  };

  std::vector<Route> routes_;
};
