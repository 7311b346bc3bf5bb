#pragma once

#include <array>
#include <chrono>
#include <ctime>
#include <optional>
#include <string>

namespace shared {

using DateTime = std::chrono::sys_seconds;

inline constexpr auto RFC_3339 = "%Y-%m-%dT%H:%M:%SZ";  // std::format and std::chrono::parse come with GCC 13 and 14

/// Reads a time of RFC 3339 in UTC, such as 2026-11-09T08:00:00Z. Returns nothing for another text.
inline std::optional<DateTime> parse_date_time(const std::string& text) {
  std::tm fields{};
  const char* end = strptime(text.c_str(), RFC_3339, &fields);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return DateTime(std::chrono::seconds(timegm(&fields)));
}

/// Writes a time as RFC 3339 in UTC.
inline std::string format_date_time(DateTime time) {
  const std::time_t seconds = time.time_since_epoch().count();
  std::tm fields{};
  gmtime_r(&seconds, &fields);
  std::array<char, 32> text;
  return {text.data(), std::strftime(text.data(), text.size(), RFC_3339, &fields)};
}

}  // namespace shared
