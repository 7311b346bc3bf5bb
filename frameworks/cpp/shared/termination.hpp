#pragma once

namespace shared {

/// Blocks SIGTERM and SIGINT, so that they do not end the process and the process can wait for them.
class Termination {
 public:
  /// Make it before any thread is started, because threads inherit the blocked signals.
  Termination();

  /// Returns when the process is asked to end.
  void wait() const;
};

}  // namespace shared
