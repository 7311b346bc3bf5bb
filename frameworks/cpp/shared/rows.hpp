#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "shared/copies.hpp"

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

/// Returns what the number of a process's first fetch is.
std::uint64_t first_number();

/// Makes the rows of fetches. They are values of a JSON library, in place of a database driver's values. The number of
/// the fetch ends one text of each row (docs/CONTRACT.md).
template <class Json>
class Rows {
 public:
  explicit Rows(const Parse<Json>& parse)
      : user_(parse, read_fixture("user.json"), 1, [](Json& row, unsigned) -> auto& { return row["picture"]; }),
        sprint_(parse, read_fixture("sprint.json"), ISSUES,
                [](Json& row, unsigned index) -> auto& { return row["issues"][index]["description_short"]; }),
        task_(parse, read_fixture("task.json"), 1,
              [](Json& row, unsigned) -> auto& { return row["author"]["picture"]; }) {}

  Fetched<Json> user() { return {&user_, next_number_++}; }
  Fetched<Json> sprint() { return {&sprint_, next_number_++}; }
  Fetched<Json> task() { return {&task_, next_number_++}; }
  void save_task() { ++next_number_; }

 private:
  static constexpr unsigned ISSUES = 100;

  std::atomic<std::uint64_t> next_number_ = first_number();
  Copies<Json> user_;
  Copies<Json> sprint_;
  Copies<Json> task_;
};

}  // namespace shared
