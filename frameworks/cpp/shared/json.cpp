#include "shared/json.hpp"

#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

#include <limits>
#include <vector>

namespace shared {

namespace {

using rapidjson::SizeType;

// Parsing is iterative, because a text that is nested deeply would overflow the stack.
constexpr unsigned STRICT = rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag;

/// RapidJSON 1.1 takes a low surrogate for a character where it is escaped, and it is none in UTF-8.
struct Utf8 : rapidjson::UTF8<> {
  template <class Output>
  static void Encode(Output& output, unsigned character) {
    if (character >= 0xDC00 && character <= 0xDFFF) throw Misfit("a low surrogate stands alone");
    rapidjson::UTF8<>::Encode(output, character);
  }
};

/// Parses the text for a handler of RapidJSON's events. Throws Misfit where it is not JSON.
template <unsigned flags, class Handler>
void parse(const std::string& text, Handler& handler) {
  rapidjson::StringStream stream(text.c_str());
  const auto result = rapidjson::GenericReader<Utf8, Utf8>().Parse<flags>(stream, handler);
  if (result.IsError()) throw Misfit(rapidjson::GetParseError_En(result.Code()));
  // RapidJSON takes a byte 0 for the end
  if (stream.Tell() != text.size()) throw Misfit("there is a byte 0 after the JSON");
}

/// Passes the events of a text on to the readers of the types that it is read into.
class TargetHandler {
 public:
  explicit TargetHandler(Target root) : next_(root) {}

  bool String(const char* text, SizeType length, bool) {
    const auto [variable, reader] = take_target();
    reader->text(variable, {text, length});
    return true;
  }

  bool Int(int number) {
    const auto [variable, reader] = take_target();
    reader->integer(variable, number);
    return true;
  }

  bool Uint(unsigned number) {
    return number <= std::numeric_limits<std::int32_t>::max() ? Int(static_cast<int>(number)) : other();
  }

  bool Null() { return other(); }
  bool Bool(bool) { return other(); }
  bool Int64(std::int64_t) { return other(); }
  bool Uint64(std::uint64_t) { return other(); }
  bool Double(double) { return other(); }
  bool RawNumber(const char*, SizeType, bool) { return other(); }

  bool StartArray() {
    const auto target = take_target();
    target.reader->begin_list(target.variable);
    open_.push_back({target, true});
    return true;
  }

  bool EndArray(SizeType) {
    open_.pop_back();
    return true;
  }

  bool StartObject() {
    const auto target = take_target();
    target.reader->begin_object(target.variable);
    open_.push_back({target, false});
    return true;
  }

  bool Key(const char* name, SizeType length, bool) {
    auto& [object, is_list, read] = open_.back();
    next_ = object.reader->field(object.variable, {name, length}, read);
    return true;
  }

  bool EndObject(SizeType) {
    open_.back().target.reader->end_object(open_.back().read);
    open_.pop_back();
    return true;
  }

 private:
  /// A list or an object that has begun, and has not ended.
  struct Open {
    Target target;
    bool is_list;
    FieldSet read = 0;
  };

  Target take_target() const {
    if (open_.empty() || !open_.back().is_list) return next_;
    const auto& [variable, reader] = open_.back().target;
    return reader->element(variable);
  }

  bool other() {
    const auto [variable, reader] = take_target();
    reader->other(variable);
    return true;
  }

  std::vector<Open> open_;
  Target next_;
};

/// Builds a document. It refuses deep nesting, because RapidJSON copies and writes values recursively.
class DocumentHandler : public json {
 public:
  bool StartArray() { return deeper() && json::StartArray(); }
  bool StartObject() { return deeper() && json::StartObject(); }

  bool EndArray(SizeType size) {
    --depth_;
    return json::EndArray(size);
  }

  bool EndObject(SizeType size) {
    --depth_;
    return json::EndObject(size);
  }

 private:
  static constexpr int DEEPEST = 1000;

  bool deeper() { return ++depth_ <= DEEPEST; }

  int depth_ = 0;
};

}  // namespace

json parse_json(const std::string& text) {
  DocumentHandler document;
  auto generate = [&](json&) {
    parse<STRICT | rapidjson::kParseFullPrecisionFlag>(text, document);
    return true;
  };
  document.Populate(generate);
  return document;
}

void read_into(Target target, const std::string& text) {
  TargetHandler handler(target);
  parse<STRICT>(text, handler);
}

}  // namespace shared
