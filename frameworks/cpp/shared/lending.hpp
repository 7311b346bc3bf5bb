#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "shared/fixtures.hpp"

namespace shared {

/// A row that is lent, and given back by its end. Who has it may change it where the kind says so.
template <class Row>
using Lent = std::unique_ptr<Row, std::function<void(Row*)>>;

/// Lends out copies of one row. To copy a whole row for each fetch would cost too much: as many copies are made as are
/// in use at the same time.
template <class Kind, class Row>
class Copies {
 public:
  using Typed = typename Kind::Typed;

  /// `typed` is the same row as `original`.
  Copies(Row original, Typed& typed) : original_(std::move(original)), typed_(typed) {}

  Lent<Row> lend(std::uint64_t number) {
    auto copy = take();
    const std::string digits = std::to_string(number);
    std::string text = Kind::numbered(typed_, number);
    text.replace(text.size() - digits.size(), digits.size(), digits);
    set(Kind::numbered(*copy, number), std::move(text));
    return {copy.release(), [this, number](Row* row) {
              set(Kind::changed(*row, number), Kind::changed(typed_, number));
              give_back(std::unique_ptr<Row>(row));
            }};
  }

 private:
  template <class Field>
  static void set(Field& field, std::string text) {
    field = Field(std::move(text));
  }

  std::unique_ptr<Row> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        auto copy = std::move(free_.back());
        free_.pop_back();
        return copy;
      }
    }
    return std::make_unique<Row>(original_);
  }

  void give_back(std::unique_ptr<Row> copy) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(copy));
  }

  const Row original_;
  Typed& typed_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Row>> free_;
};

/// Makes a plain value of a JSON library from a text.
template <class Json>
using Parse = std::function<Json(const std::string&)>;

/// Lends typed and plain rows of a kind.
template <class Kind, class Json>
class Table {
 public:
  using Typed = typename Kind::Typed;

  explicit Table(const Parse<Json>& parse) : rows_(read_fixture<Typed>(Kind::FILE)) {
    for (auto& [typed, text] : rows_) {
      typed_.emplace_back(typed, typed);
      plain_.emplace_back(parse(text), typed);
    }
  }

  Lent<Typed> typed(std::uint64_t number) { return typed_[number % typed_.size()].lend(number); }
  Lent<Json> plain(std::uint64_t number) { return plain_[number % plain_.size()].lend(number); }

 private:
  std::vector<FixtureRow<Typed>> rows_;
  std::deque<Copies<Kind, Typed>> typed_;
  std::deque<Copies<Kind, Json>> plain_;
};

/// What a fetch gives, and may wait until a thread is free to read the row. The row is lent no sooner, because the
/// copies that many rows need at a time push each other out of the CPU's cache.
template <class Kind, class Json>
struct Fetched {
  Table<Kind, Json>* table = nullptr;
  std::uint64_t number = 0;

  Lent<typename Kind::Typed> typed() const { return table->typed(number); }
  Lent<Json> plain() const { return table->plain(number); }
};

}  // namespace shared
