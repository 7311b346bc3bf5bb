#pragma once

#include <stdexcept>

namespace shared {

/// The client's mistake: input that is not JSON, or JSON that does not fit the declared type.
struct Misfit : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

}  // namespace shared
