#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "shared/codec.hpp"

namespace shared {

/// A row that is lent. It can be lent again when nobody has it any longer.
template <class Json>
using Row = std::shared_ptr<const Json>;

/// Makes a value of a JSON library from a text.
template <class Json>
using Parse = std::function<Json(const std::string&)>;

/// Lends out copies of a row. To copy a whole row for each fetch would cost too much: as many copies are made as are in
/// use at the same time.
template <class Json>
class Copies {
 public:
  using Traits = JsonTraits<Json>;

  /// Returns the text with that index, of the texts of a row that the number of a fetch may end.
  using Find = typename Traits::Value& (*)(Json& row, unsigned index);

  /// `parse` makes a row from the text `json`, and `find` finds `count` texts in it.
  Copies(Parse<Json> parse, std::string json, unsigned count, Find find)
      : parse_(std::move(parse)), json_(std::move(json)), find_(find) {
    Json row = parse_(json_);
    for (unsigned index = 0; index < count; ++index) texts_.emplace_back(Traits::text(find_(row, index)));
  }

  Row<Json> lend(std::uint64_t number) {
    const auto copy = take();
    const auto index = static_cast<unsigned>(number % texts_.size());
    const std::string digits = std::to_string(number);
    copy->text = texts_[index];
    copy->text.replace(copy->text.size() - digits.size(), digits.size(), digits);
    Traits::set_text(find_(copy->row, index), copy->text);
    return {&copy->row, [this, copy, index](const Json*) {
              Traits::set_text(find_(copy->row, index), texts_[index]);
              const std::lock_guard lock(mutex_);
              free_.push_back(copy);
            }};
  }

 private:
  struct Copy {
    Json row;
    std::string text;  // of the row, where it has the number
  };

  std::shared_ptr<Copy> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        auto copy = std::move(free_.back());
        free_.pop_back();
        return copy;
      }
    }
    return std::make_shared<Copy>(parse_(json_));
  }

  const Parse<Json> parse_;
  const std::string json_;
  const Find find_;
  std::vector<std::string> texts_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<Copy>> free_;
};

/// What a fetch gives, and may wait until a thread is free to read the row. The row is lent no sooner, because the
/// copies that many rows need at a time push each other out of the CPU's cache.
template <class Json>
struct Fetched {
  Copies<Json>* copies = nullptr;
  std::uint64_t number = 0;

  Row<Json> row() const { return copies->lend(number); }
};

}  // namespace shared
