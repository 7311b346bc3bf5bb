#include "shared/raw.hpp"

#include <utility>

#include "shared/models.hpp"

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

}  // namespace shared
