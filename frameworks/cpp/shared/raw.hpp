#pragma once

#include <cstdint>
#include <string>

#include "shared/json.hpp"

/// What entries without a JSON library of their own answer without declared types. What reads a body throws Misfit.
namespace shared {

json parse_json(const std::string& text);

/// The issue tracker: these set what an answer has in a plain row that was lent, and return its JSON text.
std::string user_json(json& row, std::int32_t user_id);
std::string board_json(json& row, std::int32_t sprint_id);
std::string task_json(json& row, std::int32_t board_id, const json& sent);

/// Returns the fields of a task from a body. Their values may be anything, and other fields are ignored.
json read_task(const std::string& body);

/// Returns the text that a body has under that name.
std::string text_in(const json& sent, const char* name);

/// The workload.
std::string read_payload(const std::string& body);
std::string read_message(const std::string& body);
std::string payload_json(const std::string& payload);

/// Returns the answer to a message that has been handled.
std::string handled_json(const std::string& message);

}  // namespace shared
