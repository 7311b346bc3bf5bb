#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "shared/codec.hpp"
#include "shared/date_time.hpp"
#include "shared/fields.hpp"
#include "shared/misfit.hpp"

/// Reads JSON straight into declared types. Nothing in between holds the values.
namespace shared {

class Reader;

/// Where the next value of the text is read into: a variable, and what knows its type.
struct Target {
  void* variable;
  const Reader* reader;
};

/// The numbers of an object's fields that have been read, as bits.
using FieldSet = std::uint64_t;

/// What a parser calls with the parts of a value. The parts that a type does not have are a Misfit.
class Reader {
 public:
  virtual void text(void*, std::string_view) const { throw Misfit("a text is not expected"); }
  virtual void integer(void*, std::int32_t) const { throw Misfit("an integer is not expected"); }

  /// null, a truth value, a fraction, or an integer of more than 32 bits.
  virtual void other(void*) const { throw Misfit("null, true, false or such a number is not expected"); }

  virtual void begin_list(void*) const { throw Misfit("a list is not expected"); }
  virtual Target element(void*) const { return {}; }

  virtual void begin_object(void*) const { throw Misfit("an object is not expected"); }
  virtual Target field(void*, std::string_view, FieldSet&) const { return {}; }
  virtual void end_object(FieldSet) const {}

 protected:
  ~Reader() = default;
};

/// Takes any value, and keeps nothing.
class IgnoringReader : public Reader {
 public:
  void text(void*, std::string_view) const override {}
  void integer(void*, std::int32_t) const override {}
  void other(void*) const override {}
  void begin_list(void*) const override {}
  Target element(void*) const override { return {nullptr, this}; }
  void begin_object(void*) const override {}
  Target field(void*, std::string_view, FieldSet&) const override { return {nullptr, this}; }
};

inline constexpr IgnoringReader IGNORING_READER{};

template <class T>
class ReaderOf;

template <class T>
inline constexpr ReaderOf<T> READER{};

template <>
class ReaderOf<std::string> : public Reader {
 public:
  void text(void* variable, std::string_view text) const override { *static_cast<std::string*>(variable) = text; }
};

template <>
class ReaderOf<DateTime> : public Reader {
 public:
  void text(void* variable, std::string_view text) const override {
    *static_cast<DateTime*>(variable) = parse_date_time(text);
  }
};

template <>
class ReaderOf<std::int32_t> : public Reader {
 public:
  void integer(void* variable, std::int32_t integer) const override { *static_cast<std::int32_t*>(variable) = integer; }
};

template <class T>
class ReaderOf<std::vector<T>> : public Reader {
 public:
  void begin_list(void* variable) const override { static_cast<std::vector<T>*>(variable)->clear(); }

  Target element(void* variable) const override {
    return {&static_cast<std::vector<T>*>(variable)->emplace_back(), &READER<T>};
  }
};

template <Described T>
class ReaderOf<T> : public Reader {
 public:
  void begin_object(void* variable) const override { *static_cast<T*>(variable) = {}; }

  Target field(void* variable, std::string_view name, FieldSet& read) const override {
    Target target{nullptr, &IGNORING_READER};
    for_each_field([&](const auto& field, FieldSet bit) {
      if (name != field.name) return false;
      read |= bit;
      target = target_of(static_cast<T*>(variable)->*field.member);
      return true;
    });
    return target;
  }

  void end_object(FieldSet read) const override {
    for_each_field([&](const auto& field, FieldSet bit) {
      using Member = std::remove_cvref_t<decltype(std::declval<T>().*field.member)>;
      if (!is_optional<Member> && (read & bit) == 0) throw Misfit(std::string(field.name) + " is missing");
      return false;
    });
  }

 private:
  /// Calls `visit` with each field and its bit, until it returns true.
  template <class Visit>
  static void for_each_field(Visit visit) {
    FieldSet bit = 1;
    std::apply([&](const auto&... field) { (... || (visit(field, std::exchange(bit, bit << 1)))); }, T::fields);
  }

  template <class Member>
  static Target target_of(Member& member) {
    if constexpr (is_optional<Member>) {
      return target_of(member.emplace());
    } else {
      return {&member, &READER<Member>};
    }
  }
};

/// Reads a JSON text. Throws Misfit where it is not JSON, or does not fit.
void read_into(Target target, const std::string& text);

}  // namespace shared
