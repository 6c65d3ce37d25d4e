// Reading single values of JSON defensively: a key that is missing or of the wrong kind gives the
// default, because records may come from anywhere; and writing what may hold anything. Whole
// records are read by their fields (json_fields.hpp).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/base/result.hpp"
#include "core/base/text/json_text.hpp"

namespace klab::json_reading {

/// A number, or null where there is none.
inline nlohmann::json number(std::optional<double> value) {
  return value && std::isfinite(*value) ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

/// The number of a JSON value, if it is one that T can hold.
template <class T>
std::optional<T> number_in(const nlohmann::json& value) {
  if (!value.is_number()) return std::nullopt;
  if constexpr (std::is_floating_point_v<T>) {
    return value.get<T>();
  } else if (value.is_number_float()) {
    // 2^digits is the first number beyond T, and a double holds it exactly.
    const double number = value.get<double>();
    const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);
    const bool fits = number < end && number >= (std::is_signed_v<T> ? -end : 0);
    return fits ? std::optional(static_cast<T>(number)) : std::nullopt;
  } else if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    return std::in_range<T>(number) ? std::optional(static_cast<T>(number)) : std::nullopt;
  } else {
    const auto number = value.get<std::int64_t>();
    return std::in_range<T>(number) ? std::optional(static_cast<T>(number)) : std::nullopt;
  }
}

/// The value under a key if it is there and of this type; else `fallback`.
template <class T>
T get(const nlohmann::json& object, const char* key, T fallback) {
  const auto found = object.find(key);
  if (found == object.end()) return fallback;
  if constexpr (std::is_same_v<T, std::string>)
    return found->is_string() ? found->get<T>() : fallback;
  else if constexpr (std::is_same_v<T, bool>)
    return found->is_boolean() ? found->get<T>() : fallback;
  else
    return number_in<T>(*found).value_or(fallback);
}

template <class T = double>
std::optional<T> optional_number(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? std::nullopt : number_in<T>(*found);
}

/// Whether arrays and objects nest deeper than that, told from the text. (The library can be asked
/// while it parses, but then looks through all siblings at the end of each value.)
inline bool nests_deeper(std::string_view text, int most) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && in_string)
      ++i;
    else if (c == '"')
      in_string = !in_string;
    else if (!in_string && (c == '[' || c == '{') && ++depth > most)
      return true;
    else if (!in_string && (c == ']' || c == '}'))
      --depth;
  }
  return false;
}

/// Records nest eight deep.
inline constexpr int most_record_depth = 32;

/// What `decode` makes of an object; `refuse(reason)` if it is none, or if `decode` throws.
template <class T, class Decode, class Refuse>
Result<T> decode_object(const nlohmann::json& parsed, Decode decode, Refuse refuse) {
  if (!parsed.is_object()) return refuse("it is not a JSON object");
  try {
    return decode(parsed);
  } catch (const nlohmann::json::exception&) {
    // The library's own words are for programmers.
    return refuse("a field is missing, or is of another type");
  } catch (const std::exception& failure) {
    return refuse(failure.what());
  }
}

/// What `decode` makes of the object in a line; `refuse(reason)` if the line is too long or no
/// object, or if `decode` throws.
template <class T, class Decode, class Refuse>
Result<T> decode_line(std::string_view line, std::size_t most_bytes, Decode decode, Refuse refuse) {
  if (line.size() > most_bytes) return refuse("it is too long");
  if (nests_deeper(line, most_record_depth)) return refuse("it nests too deep");
  return decode_object<T>(json_from(line), decode, refuse);
}

/// The object or array under a key; an empty object if there is none.
inline const nlohmann::json& part(const nlohmann::json& object, const char* key) {
  static const nlohmann::json nothing = nlohmann::json::object();
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

}  // namespace klab::json_reading
