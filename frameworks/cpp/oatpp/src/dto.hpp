#pragma once

#include <oatpp/core/Types.hpp>
#include <oatpp/core/macro/codegen.hpp>
#include <oatpp/parser/json/mapping/ObjectMapper.hpp>
#include <string>

#include "shared/json.hpp"
#include "shared/misfit.hpp"

/// Throws Misfit where a required field or an element of a list is null, which the mapper allows.
void check_complete(const oatpp::Void& value);

/// Returns a DTO from a text that is known to be JSON. Throws Misfit where it does not fit.
template <class Dto>
oatpp::Object<Dto> read_json(const oatpp::data::mapping::ObjectMapper& mapper, const std::string& text) {
  oatpp::parser::Caret caret(text.data(), static_cast<v_buff_size>(text.size()));
  const auto dto = mapper.readFromCaret<oatpp::Object<Dto>>(caret);
  if (!dto) throw shared::Misfit(caret.hasError() ? caret.getErrorMessage() : "null is not expected");
  check_complete(dto);
  return dto;
}

/// Returns a DTO from a client's text. Throws Misfit where it is not JSON, or does not fit.
template <class Dto>
oatpp::Object<Dto> read(const oatpp::data::mapping::ObjectMapper& mapper, const std::string& text) {
  // The mapper needs no commas, takes any bytes for text, and looks neither into unknown fields nor behind the end.
  if (!shared::json::accept(text)) throw shared::Misfit("the text is not JSON");
  return read_json<Dto>(mapper, text);
}
