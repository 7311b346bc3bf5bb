#include "source.hpp"

void Source::fetch(const Session& session, shared::Callback done) {
  Fetch fetch{session, std::move(done)};
  {
    const std::lock_guard lock(mutex_);
    if (free_ == 0) return waiting_.push_back(std::move(fetch));
    --free_;
  }
  hold_connection(fetch);
}

void Source::hold_connection(const Fetch& fetch) {
  wait(fetch.session, pool_.latency, [this, done = fetch.done] {
    pass_connection_on();
    done();
  });
}

void Source::pass_connection_on() {
  Fetch next;
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) {
      ++free_;
      return;
    }
    next = std::move(waiting_.front());
    waiting_.pop_front();
  }
  hold_connection(next);
}
