#pragma once

#include <tuple>

namespace shared {

/// A member of a type, and its name in JSON.
template <class Owner, class Value>
struct Field {
  const char* name;
  Value Owner::*member;
};

/// A type that lists its members as a tuple of `Field`s named `fields`. The list is used to read, check and write it.
template <class T>
concept Described = requires {
  T::fields;
};

}  // namespace shared
