#include "shared/date_time.hpp"

#include <array>
#include <ctime>

#include "shared/misfit.hpp"

namespace shared {

namespace {

constexpr auto RFC_3339 = "%Y-%m-%dT%H:%M:%SZ";  // std::format and std::chrono::parse come with GCC 13 and 14

}

DateTime parse_date_time(std::string_view text) {
  const std::string terminated(text);  // `end` points into it
  std::tm fields{};
  const char* end = strptime(terminated.c_str(), RFC_3339, &fields);
  if (end == nullptr || *end != '\0') throw Misfit(terminated + " is not a date-time");
  return DateTime(std::chrono::seconds(timegm(&fields)));
}

std::string format_date_time(DateTime time) {
  const std::time_t seconds = time.time_since_epoch().count();
  std::tm fields{};
  gmtime_r(&seconds, &fields);
  std::array<char, 32> text;
  return {text.data(), std::strftime(text.data(), text.size(), RFC_3339, &fields)};
}

}  // namespace shared
