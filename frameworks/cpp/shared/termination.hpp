#pragma once

#include <csignal>

namespace shared {

/// Blocks SIGTERM and SIGINT, so that they do not end the process and the process can wait for them.
class Termination {
 public:
  /// Make it before any thread is started, because threads inherit the blocked signals.
  Termination() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGTERM);
    sigaddset(&signals_, SIGINT);
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  }

  /// Returns when the process is asked to end.
  void wait() const {
    int signal = 0;
    sigwait(&signals_, &signal);
  }

 private:
  sigset_t signals_;
};

}  // namespace shared
