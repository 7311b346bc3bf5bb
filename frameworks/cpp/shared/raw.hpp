#pragma once

#include <string>

#include "shared/json.hpp"

/// How entries without a JSON library of their own read bodies without declared types. These functions throw Misfit.
namespace shared {

json parse_json(const std::string& text);

/// Returns the fields of a task from a body. Their values may be anything, and other fields are ignored.
json read_task(const std::string& body);

/// Returns the text that a body has under that name.
std::string text_in(const json& sent, const char* name);

}  // namespace shared
