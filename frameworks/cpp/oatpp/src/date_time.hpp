#pragma once

#include <oatpp/core/Types.hpp>

#include "shared/date_time.hpp"

namespace date_time_class {

/// The type of DateTime. The mapper writes and reads one as text, by its interpretation INTERPRETATION.
class DateTimeClass {
 public:
  static constexpr auto INTERPRETATION = "rfc-3339";
  static const oatpp::ClassId CLASS_ID;

  static oatpp::Type* getType();
};

}  // namespace date_time_class

/// A date-time in a DTO. Oat++ has no such type of its own, but lets the app declare one.
using DateTime = oatpp::data::mapping::type::Primitive<shared::DateTime, date_time_class::DateTimeClass>;
