#include "router.hpp"

#include <cpprest/base_uri.h>
#include <cpprest/json.h>

#include <exception>
#include <utility>

#include "shared/misfit.hpp"
#include "shared/solr.hpp"

using web::uri;
using web::http::http_request;
using web::http::status_codes;

namespace {

using Segments = std::vector<std::string>;
using Task = pplx::task<void>;

bool is_parameter(const std::string& segment) { return segment.starts_with('{'); }

bool fits(const Segments& route, const Segments& path) {
  if (route.size() != path.size()) return false;
  for (std::size_t i = 0; i < route.size(); ++i) {
    if (route[i] != path[i] && !is_parameter(route[i])) return false;
  }
  return true;
}

std::string parameter_of(const Segments& route, const Segments& path) {
  for (std::size_t i = 0; i < route.size(); ++i) {
    if (is_parameter(route[i])) return uri::decode(path[i]);
  }
  return {};
}

/// Has what a handler throws at once end up where what its tasks throw does.
Task called(const Router::Handler& handler, const http_request& request, const std::string& parameter) {
  try {
    return handler(request, parameter);
  } catch (...) {
    return pplx::task_from_exception<void>(std::current_exception());
  }
}

Task answer_mistake(const http_request& request, std::exception_ptr mistake) {
  try {
    std::rethrow_exception(mistake);
  } catch (const shared::SolrUnavailable& unavailable) {
    return request.reply(status_codes::ServiceUnavailable, unavailable.what());
  } catch (const shared::Misfit& misfit) {
    return request.reply(status_codes::BadRequest, misfit.what());
  } catch (const web::json::json_exception& not_json) {
    return request.reply(status_codes::BadRequest, not_json.what());
  } catch (const web::http::http_exception& not_readable) {
    return request.reply(status_codes::BadRequest, not_readable.what());
  } catch (...) {
    return request.reply(status_codes::InternalError);
  }
}

/// An exception of a task that nobody looks at ends the process, and replying to a client that has gone throws.
void observe(const Task& replied) {
  replied.then([](const Task& done) {
    try {
      done.get();
    } catch (const web::http::http_exception&) {
    }
  });
}

}  // namespace

void Router::add(web::http::method method, const std::string& path, Handler handler) {
  routes_.push_back({std::move(method), uri::split_path(path), std::move(handler)});
}

void Router::answer(http_request request) const {
  const auto path = uri::split_path(request.relative_uri().path());
  for (const auto& route : routes_) {
    if (route.method != request.method() || !fits(route.segments, path)) continue;
    observe(called(route.handler, request, parameter_of(route.segments, path)).then([request](const Task& answered) {
      try {
        answered.get();
        return answered;
      } catch (...) {
        return answer_mistake(request, std::current_exception());
      }
    }));
    return;
  }
  observe(request.reply(status_codes::NotFound));
}
