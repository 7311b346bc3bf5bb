#include "shared/raw.hpp"

#include <utility>

#include "shared/models.hpp"
#include "shared/work.hpp"

namespace shared {

namespace {

/// How deep values may be nested. They are copied and written recursively, so a deeper text could overflow the stack.
constexpr int DEEPEST = 1000;

bool check_depth(int depth, json::parse_event_t, json&) {
  if (depth > DEEPEST) throw Misfit("values are nested too deeply");
  return true;
}

}  // namespace

json parse_json(const std::string& text) {
  try {
    return json::parse(text, check_depth);
  } catch (const json::parse_error& error) {
    throw Misfit(error.what());
  }
}

std::string user_json(json& row, std::int32_t user_id) {
  row["sub"].get_ref<std::string&>().append("-").append(std::to_string(user_id));
  return row.dump();
}

std::string board_json(json& row, std::int32_t sprint_id) {
  row["sprint"]["id"] = sprint_id;
  return row.dump();
}

std::string task_json(json& row, std::int32_t board_id, const json& sent) {
  row.update(sent);
  row["board"] = board_id;
  return row.dump();
}

json read_task(const std::string& body) {
  json sent = parse_json(body);
  json task;
  for (const char* field : TASK_FIELDS) {
    if (!sent.contains(field)) throw Misfit(std::string(field) + " is missing");
    task[field] = std::move(sent[field]);
  }
  return task;
}

std::string text_in(const json& sent, const char* name) {
  const auto found = sent.find(name);
  if (found == sent.end() || !found->is_string()) throw Misfit(std::string(name) + " is no text");
  return found->get<std::string>();
}

std::string read_payload(const std::string& body) { return text_in(parse_json(body), "payload"); }

std::string read_message(const std::string& body) { return text_in(parse_json(body), "message"); }

std::string payload_json(const std::string& payload) { return json{{"payload", payload}}.dump(); }

std::string handled_json(const std::string& message) {
  return json{{"message", message}, {"note", processing_note()}}.dump();
}

}  // namespace shared
