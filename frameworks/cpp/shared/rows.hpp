#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <string>

namespace shared {

/// What a client sends of a task; the rest of a task's row is the tracker's own.
inline constexpr std::array TASK_FIELDS{"summary", "description", "issue_type", "priority", "labels", "components"};

/// The connections of the emulated data source, and the time that a fetch holds one.
struct PoolSettings {
  std::size_t size;
  std::chrono::microseconds latency;

  static PoolSettings from_environment();
};

/// The text of a file of $FIXTURES/issue-tracker.
std::string read_fixture(const std::string& name);

/// What the emulated data source holds: what a database driver would hand out, as values of a JSON library.
template <class Json>
struct Rows {
  Json user;
  Json sprint;
  Json task;

  /// `parse` makes a value of a text.
  template <class Parse>
  static Rows read(Parse parse) {
    return {parse(read_fixture("user.json")), parse(read_fixture("sprint.json")), parse(read_fixture("task.json"))};
  }
};

}  // namespace shared
