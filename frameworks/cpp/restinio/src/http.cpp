#include "http.hpp"

namespace {

auto response_to(const Request& request, restinio::http_status_line_t status) {
  auto response = request->create_response(std::move(status));
  response.append_header(restinio::http_field::server, "RESTinio");
  response.append_header_date_field();
  return response;
}

Handling answer(const Request& request, std::string body, std::string type, restinio::http_status_line_t status) {
  return response_to(request, std::move(status))
      .append_header(restinio::http_field::content_type, std::move(type))
      .set_body(std::move(body))
      .done();
}

}  // namespace

Handling answer_json(const Request& request, std::string json, restinio::http_status_line_t status) {
  return answer(request, std::move(json), "application/json", std::move(status));
}

Handling answer_nothing(const Request& request) { return response_to(request, restinio::status_no_content()).done(); }

Handling answer_text(const Request& request, std::string text, restinio::http_status_line_t status) {
  return answer(request, std::move(text), "text/plain; charset=utf-8", std::move(status));
}
