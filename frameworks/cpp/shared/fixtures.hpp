#pragma once

#include <string>
#include <vector>

namespace shared {

/// A row as a declared type, and as JSON.
template <class Typed>
struct FixtureRow {
  Typed typed;
  std::string json;
};

/// Returns the rows of a file in $FIXTURES/issue-tracker. Ends the process where they do not fit the type.
template <class Typed>
std::vector<FixtureRow<Typed>> read_fixture(const std::string& name);

}  // namespace shared
