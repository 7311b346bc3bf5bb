#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <oatpp/core/async/Coroutine.hpp>
#include <oatpp/core/async/CoroutineWaitList.hpp>
#include <optional>
#include <utility>

/// A value that a callback brings on any thread, and one coroutine that waits for it.
template <class Value>
class Promise : private oatpp::async::CoroutineWaitList::Listener {
 public:
  Promise() { waiting_.setListener(this); }

  void keep(Value value) {
    value_ = std::move(value);
    kept_ = true;
    waiting_.notifyAll();
  }

  bool is_kept() const { return kept_; }
  const Value& value() const { return *value_; }
  oatpp::async::Action wait() { return oatpp::async::Action::createWaitListAction(&waiting_); }

 private:
  /// The promise may be kept after the coroutine has looked at it, and before the coroutine is in the list.
  void onNewItem(oatpp::async::CoroutineWaitList& list) override {
    if (kept_) list.notifyAll();
  }

  std::optional<Value> value_;
  std::atomic<bool> kept_ = false;
  oatpp::async::CoroutineWaitList waiting_;
};

/// Waits for a callback, and returns what it was called with.
template <class Value>
class Awaiting : public oatpp::async::CoroutineWithResult<Awaiting<Value>, const Value&> {
 public:
  using Start = std::function<void(std::function<void(Value)>)>;

  explicit Awaiting(Start start) : start_(std::move(start)) {}

  oatpp::async::Action act() override {
    if (!promise_) {
      promise_ = std::make_shared<Promise<Value>>();
      start_([promise = promise_](Value value) { promise->keep(std::move(value)); });
    }
    return promise_->is_kept() ? this->_return(promise_->value()) : promise_->wait();
  }

 private:
  const Start start_;
  std::shared_ptr<Promise<Value>> promise_;  // shared with the callback, which may still notify when this has ended
};

template <class Value>
using Awaited = oatpp::async::CoroutineStarterForResult<const Value&>;

/// `start` gets a callback, and sees to it that it is called.
template <class Value>
Awaited<Value> await(typename Awaiting<Value>::Start start) {
  return new Awaiting<Value>(std::move(start));
}

/// The value of a callback that has none.
struct Over {};
