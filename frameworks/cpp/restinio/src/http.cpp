#include "http.hpp"

namespace {

Handling answer(const Request& request, std::string body, std::string type, restinio::http_status_line_t status) {
  return request->create_response(std::move(status))
      .append_header(restinio::http_field::content_type, std::move(type))
      .set_body(std::move(body))
      .done();
}

}  // namespace

Handling answer_json(const Request& request, std::string json, restinio::http_status_line_t status) {
  return answer(request, std::move(json), "application/json", std::move(status));
}

Handling answer_text(const Request& request, std::string text, restinio::http_status_line_t status) {
  return answer(request, std::move(text), "text/plain; charset=utf-8", std::move(status));
}
