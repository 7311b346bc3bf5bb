#include "shared/fixtures.hpp"

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "shared/models.hpp"
#include "shared/settings.hpp"

namespace shared {

namespace {

[[noreturn]] void end(const std::string& why) {
  std::cerr << why << '\n';
  std::quick_exit(EXIT_FAILURE);
}

}  // namespace

template <class Typed>
std::vector<FixtureRow<Typed>> read_fixture(const std::string& name) {
  const std::string path = setting("FIXTURES", "/fixtures") + "/issue-tracker/" + name;
  std::ifstream file(path);
  if (!file) end(path + " cannot be read");
  try {
    const json list = json::parse(file);
    std::vector<FixtureRow<Typed>> rows;
    for (const json& row : list) rows.push_back({row.get<Typed>(), row.dump()});
    return rows;
  } catch (const json::exception& error) {
    end(path + ": " + error.what());
  }
}

template std::vector<FixtureRow<User>> read_fixture(const std::string& name);
template std::vector<FixtureRow<Board>> read_fixture(const std::string& name);
template std::vector<FixtureRow<Task>> read_fixture(const std::string& name);

}  // namespace shared
