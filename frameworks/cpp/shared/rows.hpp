#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <string>

namespace shared {

/// The fields of a task that a client sends. The tracker sets the other fields.
inline constexpr std::array TASK_FIELDS{"summary", "description", "issue_type", "priority", "labels", "components"};

/// The connections of the emulated data source, and the time that a fetch holds one.
struct PoolSettings {
  std::size_t size;
  std::chrono::microseconds latency;

  static PoolSettings from_environment();
};

/// Returns the text of a file in $FIXTURES/issue-tracker.
std::string read_fixture(const std::string& name);

/// The rows of the emulated data source. They are values of a JSON library, in place of a database driver's values.
template <class Json>
struct Rows {
  Json user;
  Json sprint;
  Json task;

  /// Reads the rows from the fixtures. `parse` makes a JSON value from a text.
  template <class Parse>
  static Rows read(Parse parse) {
    return {parse(read_fixture("user.json")), parse(read_fixture("sprint.json")), parse(read_fixture("task.json"))};
  }
};

}  // namespace shared
