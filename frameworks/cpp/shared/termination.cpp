#include "shared/termination.hpp"

#include <csignal>

namespace shared {

namespace {

sigset_t signals_to_end() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

}  // namespace

Termination::Termination() {
  const sigset_t signals = signals_to_end();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void Termination::wait() const {
  const sigset_t signals = signals_to_end();
  int signal = 0;
  sigwait(&signals, &signal);
}

}  // namespace shared
