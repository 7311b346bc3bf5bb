#include "shared/json.hpp"

#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <vector>

namespace shared {

namespace {

using rapidjson::SizeType;

/// How deep values may be nested. Parsing, copying and writing are recursive, so a deeper text could overflow the stack.
constexpr std::size_t DEEPEST = 1000;

void check_depth(std::size_t depth) {
  if (depth > DEEPEST) throw Misfit("values are nested too deeply");
}

/// RapidJSON 1.1 takes a low surrogate for a character where it is escaped, and it is none in UTF-8.
struct Utf8 : rapidjson::UTF8<> {
  template <class Output>
  static void Encode(Output& output, unsigned character) {
    if (character >= 0xDC00 && character <= 0xDFFF) throw Misfit("a low surrogate stands alone");
    rapidjson::UTF8<>::Encode(output, character);
  }
};

/// Takes bytes, and keeps nothing.
struct Nowhere {
  void Put(char) const {}
};

/// The number of ASCII characters at the start of the text, up to a multiple of eight.
std::size_t ascii_blocks(std::string_view text) {
  constexpr std::uint64_t NOT_ASCII = 0x8080808080808080;
  std::size_t count = 0;
  for (std::uint64_t block = 0; text.size() - count >= sizeof block; count += sizeof block) {
    std::memcpy(&block, text.data() + count, sizeof block);
    if ((block & NOT_ASCII) != 0) break;
  }
  return count;
}

/// Tells whether the text is UTF-8. RapidJSON could check it while parsing, but then would not scan with SSE2.
bool is_utf8(const std::string& text) {
  Nowhere nowhere;
  std::size_t position = 0;
  while (position < text.size()) {
    position += ascii_blocks(std::string_view(text).substr(position));
    rapidjson::StringStream character(text.c_str() + position);
    if (position < text.size() && !rapidjson::UTF8<>::Validate(character, nowhere)) return false;
    position += character.Tell();
  }
  return true;
}

/// Parses the text for a handler of RapidJSON's events. Throws Misfit where it is not JSON.
template <unsigned flags, class Handler>
void parse(const std::string& text, Handler& handler) {
  if (!is_utf8(text)) throw Misfit("the text is not UTF-8");
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
    check_depth(open_.size());
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
    check_depth(open_.size());
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

/// Builds a document.
class DocumentHandler : public json {
 public:
  bool StartArray() {
    check_depth(++depth_);
    return json::StartArray();
  }

  bool StartObject() {
    check_depth(++depth_);
    return json::StartObject();
  }

  bool EndArray(SizeType size) {
    --depth_;
    return json::EndArray(size);
  }

  bool EndObject(SizeType size) {
    --depth_;
    return json::EndObject(size);
  }

 private:
  std::size_t depth_ = 0;
};

}  // namespace

json parse_json(const std::string& text) {
  DocumentHandler document;
  auto generate = [&](json&) {
    parse<rapidjson::kParseFullPrecisionFlag>(text, document);
    return true;
  };
  document.Populate(generate);
  return document;
}

void read_into(Target target, const std::string& text) {
  TargetHandler handler(target);
  parse<rapidjson::kParseNoFlags>(text, handler);
}

}  // namespace shared
