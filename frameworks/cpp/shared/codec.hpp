#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "shared/date_time.hpp"
#include "shared/fields.hpp"
#include "shared/misfit.hpp"

namespace shared {

/// Reads values of a JSON library. json.hpp has the traits of RapidJSON's.
template <class Json>
struct JsonTraits;

template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;

template <class T>
constexpr bool is_list = false;
template <class T>
constexpr bool is_list<std::vector<T>> = true;

/// Returns a declared type from a JSON value. Throws Misfit where a field that is not optional is missing, or where a
/// field has another type. Fields that the type does not have are ignored.
template <class T, class Json>
T decode(const Json& json) {
  using Traits = JsonTraits<Json>;
  if constexpr (Described<T>) {
    T value;
    const auto read = [&](const auto& field) {
      auto& member = value.*field.member;
      using Member = std::remove_reference_t<decltype(member)>;
      const auto* found = Traits::find(json, field.name);
      if constexpr (is_optional<Member>) {
        if (found != nullptr) member = decode<typename Member::value_type>(*found);
      } else {
        if (found == nullptr) throw Misfit(std::string(field.name) + " is missing");
        member = decode<Member>(*found);
      }
    };
    std::apply([&](const auto&... field) { (read(field), ...); }, T::fields);
    return value;
  } else if constexpr (is_list<T>) {
    T values;
    Traits::for_each(json, [&](const auto& each) { values.push_back(decode<typename T::value_type>(each)); });
    return values;
  } else if constexpr (std::is_same_v<T, DateTime>) {
    return parse_date_time(Traits::text(json));
  } else if constexpr (std::is_same_v<T, std::string>) {
    return T(Traits::text(json));
  } else {
    static_assert(std::is_same_v<T, std::int32_t>);
    return Traits::integer(json);
  }
}

/// Calls `use` with the name and the value of each field, without optional fields that are empty.
template <Described T, class Use>
void for_each_value(const T& value, Use use) {
  const auto use_field = [&](const auto& field) {
    const auto& member = value.*field.member;
    if constexpr (is_optional<std::remove_cvref_t<decltype(member)>>) {
      if (member) use(field.name, *member);
    } else {
      use(field.name, member);
    }
  };
  std::apply([&](const auto&... field) { (use_field(field), ...); }, T::fields);
}

}  // namespace shared
