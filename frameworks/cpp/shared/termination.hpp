#pragma once

namespace shared {

/// Turns SIGTERM and SIGINT from something that ends the process into something that can be waited for.
class Termination {
 public:
  /// Make it before any thread is started: threads inherit which signals are held back.
  Termination();

  /// Returns when the process is asked to end.
  void wait() const;
};

}  // namespace shared
