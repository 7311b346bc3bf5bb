#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

#include "shared/lending.hpp"
#include "shared/models.hpp"
#include "shared/settings.hpp"

namespace shared {

/// The connections of the emulated data source, and the time that a fetch holds one.
struct PoolSettings {
  std::size_t size;
  std::chrono::microseconds latency;

  static PoolSettings from_environment() {
    const std::chrono::duration<double, std::milli> latency(std::stod(setting("POOL_LATENCY_MS", "1")));
    return {std::stoul(setting("POOL_SIZE", "100")), std::chrono::duration_cast<std::chrono::microseconds>(latency)};
  }
};

/// The kinds of rows. Each names its file, the text that the number of a fetch ends, and the text that has to be set
/// back when a row was lent. Other fields that an entry sets are set anew for each answer.
struct Users {
  using Typed = User;
  static constexpr auto FILE = "users.json";

  static std::string& numbered(User& row, std::uint64_t) { return row.picture; }
  static auto& numbered(auto& row, std::uint64_t) { return row["picture"]; }

  static std::string& changed(User& row, std::uint64_t) { return row.sub; }
  static auto& changed(auto& row, std::uint64_t) { return row["sub"]; }
};

struct Boards {
  using Typed = Board;
  static constexpr auto FILE = "sprints.json";

  static std::string& numbered(Board& row, std::uint64_t number) {
    return row.issues[issue_of(number)].description_short;
  }
  static auto& numbered(auto& row, std::uint64_t number) {
    return row["issues"][issue_of(number)]["description_short"];
  }

  static auto& changed(auto& row, std::uint64_t number) { return numbered(row, number); }

  static unsigned issue_of(std::uint64_t number) { return static_cast<unsigned>(number % 100); }
};

struct Tasks {
  using Typed = Task;
  static constexpr auto FILE = "tasks.json";

  static std::string& numbered(Task& row, std::uint64_t) { return row.author.picture; }
  static auto& numbered(auto& row, std::uint64_t) { return row["author"]["picture"]; }

  static auto& changed(auto& row, std::uint64_t number) { return numbered(row, number); }
};

/// Numbers the fetches of the process one by one, and gives what each of them fetches. Json is the type of plain rows.
template <class Json>
class Rows {
 public:
  explicit Rows(const Parse<Json>& parse) : users_(parse), boards_(parse), tasks_(parse) {}

  Fetched<Users, Json> user() { return {&users_, next_number_++}; }
  Fetched<Boards, Json> sprint() { return {&boards_, next_number_++}; }
  Fetched<Tasks, Json> task() { return {&tasks_, next_number_++}; }
  void save_task() { ++next_number_; }

 private:
  static std::uint64_t first_number() {
    std::random_device random;
    return std::uniform_int_distribution<std::uint64_t>(1'000'000'000, 8'999'999'999)(random);
  }

  std::atomic<std::uint64_t> next_number_ = first_number();
  Table<Users, Json> users_;
  Table<Boards, Json> boards_;
  Table<Tasks, Json> tasks_;
};

}  // namespace shared
