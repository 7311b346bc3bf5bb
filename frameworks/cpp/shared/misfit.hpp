#pragma once

#include <stdexcept>

namespace shared {

/// Input that is not JSON, or JSON that does not fit what was declared: the client's mistake.
struct Misfit : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

}  // namespace shared
