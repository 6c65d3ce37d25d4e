// Reading JSON defensively: a key that is missing or of the wrong kind gives the default, because
// records may come from anywhere. For the .cpp files that decode records.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/verdict.hpp"

namespace klab::json_reading {

/// A number, or null where there is none.
inline nlohmann::json number(std::optional<double> value) {
  return value && std::isfinite(*value) ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

/// The value of a key if it is there and of the right kind, else `fallback`.
template <class T>
T get(const nlohmann::json& object, const char* key, T fallback) {
  const auto found = object.find(key);
  if (found == object.end()) return fallback;
  if constexpr (std::is_same_v<T, std::string>)
    return found->is_string() ? found->get<T>() : fallback;
  else if constexpr (std::is_same_v<T, bool>)
    return found->is_boolean() ? found->get<T>() : fallback;
  else
    return found->is_number() ? found->get<T>() : fallback;
}

inline std::optional<double> optional_number(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

/// The object or array under a key; an empty object if there is none.
inline const nlohmann::json& part(const nlohmann::json& object, const char* key) {
  static const nlohmann::json nothing = nlohmann::json::object();
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

inline nlohmann::json interval_json(const std::optional<Interval>& interval) {
  if (!interval) return nullptr;
  return {{"median", number(interval->median)},
          {"low", number(interval->low)},
          {"high", number(interval->high)}};
}

inline std::optional<Interval> interval_from(const nlohmann::json& object) {
  if (!object.is_object()) return std::nullopt;
  const auto median = optional_number(object, "median"), low = optional_number(object, "low"),
             high = optional_number(object, "high");
  if (!median || !low || !high) return std::nullopt;
  return Interval{*median, *low, *high};
}

inline std::vector<double> numbers(const nlohmann::json& list) {
  std::vector<double> values;
  if (list.is_array())
    for (const nlohmann::json& item : list)
      if (item.is_number()) values.push_back(item.get<double>());
  return values;
}

inline std::vector<std::string> strings(const nlohmann::json& list) {
  std::vector<std::string> values;
  if (list.is_array())
    for (const nlohmann::json& item : list)
      if (item.is_string()) values.push_back(item.get<std::string>());
  return values;
}

}  // namespace klab::json_reading
