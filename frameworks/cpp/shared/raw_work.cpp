#include "shared/raw_work.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "shared/json.hpp"
#include "shared/work.hpp"

namespace shared {

namespace {

using rapidjson::StringRef;

std::string text_of(const json& object, const char* name) {
  using Traits = JsonTraits<json>;
  const auto* text = Traits::find(object, name);
  if (text == nullptr) throw Misfit(std::string(name) + " is missing");
  return std::string(Traits::text(*text));
}

std::string write_json(const json& answer) {
  rapidjson::StringBuffer text;
  JsonWriter writer(text);
  answer.Accept(writer);
  return {text.GetString(), text.GetSize()};
}

}  // namespace

std::string read_payload(const std::string& body) { return text_of(parse_json(body), "payload"); }

std::string read_message(const std::string& body) { return text_of(parse_json(body), "message"); }

std::string payload_json(const std::string& payload) {
  json answer(rapidjson::kObjectType);
  answer.AddMember("payload", StringRef(payload.data(), payload.size()), answer.GetAllocator());
  return write_json(answer);
}

std::string handled_json(const std::string& message) {
  const std::string note = processing_note();
  json answer(rapidjson::kObjectType);
  auto& memory = answer.GetAllocator();
  answer.AddMember("message", StringRef(message.data(), message.size()), memory);
  answer.AddMember("note", StringRef(note.data(), note.size()), memory);
  return write_json(answer);
}

}  // namespace shared
