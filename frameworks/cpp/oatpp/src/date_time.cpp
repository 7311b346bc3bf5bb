#include "date_time.hpp"

namespace date_time_class {

namespace {

class Rfc3339 : public oatpp::Type::Interpretation<DateTime, oatpp::String> {
 public:
  oatpp::String interpret(const DateTime& time) const override { return shared::format_date_time(*time); }
  DateTime reproduce(const oatpp::String& text) const override { return shared::parse_date_time(*text).value(); }
};

oatpp::Type* create_type() {
  oatpp::Type::Info info;
  info.interpretationMap = {{DateTimeClass::INTERPRETATION, new Rfc3339()}};
  return new oatpp::Type(DateTimeClass::CLASS_ID, info);
}

}  // namespace

const oatpp::ClassId DateTimeClass::CLASS_ID("DateTime");

oatpp::Type* DateTimeClass::getType() {
  static oatpp::Type* const type = create_type();
  return type;
}

}  // namespace date_time_class
