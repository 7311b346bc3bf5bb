#pragma once

#include <restinio/http_server_run.hpp>
#include <restinio/router/easy_parser_router.hpp>
#include <string>
#include <utility>

#include "shared/async_source.hpp"
#include "shared/json.hpp"

/// What all routes are written with.
namespace routing = restinio::router::easy_parser_router;

using Router = restinio::router::easy_parser_router_t;
using Request = restinio::request_handle_t;
using Handling = restinio::request_handling_status_t;

using Source = shared::AsyncSource<shared::json>;

Handling answer_json(const Request& request, std::string json,
                     restinio::http_status_line_t status = restinio::status_ok());
Handling answer_text(const Request& request, std::string text,
                     restinio::http_status_line_t status = restinio::status_ok());

Handling answer_nothing(const Request& request);

/// Of the path of a route: an integer that is not negative.
inline auto id() { return routing::non_negative_decimal_number_p<std::int32_t>(); }

/// Answers as `answer` does; a Misfit is answered with 400.
template <class Answer>
Handling unless_misfit(const Request& request, Answer answer) {
  try {
    return answer();
  } catch (const shared::Misfit& misfit) {
    return answer_text(request, misfit.what(), restinio::status_bad_request());
  }
}

/// A handler that gets, as its last parameter, what `parse` makes of the body.
template <class Parse, class Handler>
auto with_body(Parse parse, Handler handler) {
  return [=](const Request& request, const auto&... parameters) {
    return unless_misfit(request, [&] { return handler(request, parameters..., parse(request->body())); });
  };
}
