// A record names its fields once; how it is written as JSON, and how it is read without trust,
// follow from that.
//
//   template <class Visit>
//   void fields(Visit& visit, Launched& r) {
//     visit("variant", r.variant);
//     visit.may("launches", r.launches);
//   }
//
// A record that is read whole (`whole<T>`, for the wire) has every field that is not marked `may`
// or `if_there`, each of its type. One that is read leniently (`lenient<T>`, for files that another
// version wrote) keeps its default where a field is missing or of another type.
//
// A record whose fields stand in a .cpp file alone, or that JSON shows otherwise, is a part of
// others by `to_json(value)` and `read_json(json, value)`, which its header declares.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/advice.hpp"
#include "core/base/compute_capability.hpp"
#include "core/base/result.hpp"
#include "core/verdict/backend.hpp"
#include "core/verdict/json/json_reading.hpp"
#include "core/verdict/missing_reason.hpp"
#include "core/verdict/quantity.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab {

/// In the shell's words.
inline nlohmann::json to_json(const Advice& advice) { return shell_words(advice); }
inline bool read_json(const nlohmann::json& json, Advice& advice) {
  if (!json.is_string()) return false;
  advice = advice_from(json.get_ref<const std::string&>());
  return true;
}

/// As target_words().
inline nlohmann::json to_json(const Target& target) { return target_words(target); }
inline bool read_json(const nlohmann::json& json, Target& target) {
  const auto read =
      json.is_string() ? target_from(json.get_ref<const std::string&>()) : std::nullopt;
  if (read) target = *read;
  return read.has_value();
}

/// In words.
inline nlohmann::json to_json(const MissingReason& reason) { return shell_words(words_of(reason)); }
inline bool read_json(const nlohmann::json& json, MissingReason& reason) {
  if (!json.is_string()) return false;
  reason = missing_from(json.get_ref<const std::string&>());
  return true;
}

/// As its number, such as 90.
inline nlohmann::json to_json(ComputeCapability capability) { return capability.number(); }
inline bool read_json(const nlohmann::json& json, ComputeCapability& capability) {
  const auto number = json_reading::number_in<int>(json);
  const auto read = number ? ComputeCapability::from(*number) : std::nullopt;
  if (read) capability = *read;
  return read.has_value();
}

/// As the text behind `sm_`, such as "90a".
inline nlohmann::json to_json(const Architecture& architecture) { return to_string(architecture); }
inline bool read_json(const nlohmann::json& json, Architecture& architecture) {
  const auto read =
      json.is_string() ? architecture_from(json.get_ref<const std::string&>()) : std::nullopt;
  if (read) architecture = *read;
  return read.has_value();
}

}  // namespace klab

namespace klab::json_fields {

using nlohmann::json;

/// A field shown by a name: what `to_string` calls it and `from` knows it by.
template <class Value, class From>
struct Word {
  Value& value;
  From from;
  const char* unknown;  ///< said of a record that names something else
};
template <class Value, class From>
Word<Value, From> word(Value& value, From from, const char* unknown) {
  return {value, from, unknown};
}

/// The same of a field that may be absent: null, and none of ours, is absent.
template <class Value, class From>
struct OptionalWord {
  std::optional<Value>& value;
  From from;

  bool has_value() const { return value.has_value(); }
  std::string operator*() const { return std::string(to_string(*value)); }
};
template <class Value, class From>
OptionalWord<Value, From> optional_word(std::optional<Value>& value, From from) {
  return {value, from};
}

/// A variant as a reader is told: "mine" where records else say "candidate".
struct Shown {
  VariantName& variant;

  bool empty() const { return variant.empty(); }
};

/// A capability that may be unknown, which records write as 0.
struct OrZero {
  std::optional<ComputeCapability>& capability;
};
inline OrZero or_zero(std::optional<ComputeCapability>& capability) { return {capability}; }
inline json to_json(const OrZero& field) {
  return field.capability ? field.capability->number() : 0;
}
inline bool read_json(const json& value, OrZero& field) {
  const auto number = json_reading::number_in<int>(value);
  field.capability = number ? ComputeCapability::from(*number) : std::nullopt;
  return number == 0 || field.capability;
}

/// A backend that may be none, or none of ours: records write it as an empty text.
struct OrEmpty {
  std::optional<Backend>& backend;
};
inline OrEmpty or_empty(std::optional<Backend>& backend) { return {backend}; }
inline json to_json(const OrEmpty& field) { return to_string(field.backend); }
inline bool read_json(const json& value, OrEmpty& field) {
  if (value.is_string()) field.backend = backend_from(value.get_ref<const std::string&>());
  return value.is_string();
}

/// A list that is ours only up to a length: what is read leniently is cut there.
template <class Item>
struct Bounded {
  std::vector<Item>& items;
  std::size_t most;
  const char* too_many;
};
template <class Item>
Bounded<Item> at_most(std::size_t most, std::vector<Item>& items, const char* too_many) {
  return {items, most, too_many};
}

inline constexpr const char* not_that_type = "a field is missing, or is of another type";

template <class T>
concept IsPart = requires(const json& object, T& value) {
  read_json(object, value);
};

/// What a map's entry is called in an object.
inline const std::string& key_text(const std::string& key) { return key; }
inline std::string key_text(const VariantName& key) { return key.name(); }

template <class T>
json written(const T& value);

/// Makes an object of a record.
class Writer {
 public:
  static constexpr bool reads = false;

  template <class T>
  void operator()(const char* key, const T& value) {
    object_[key] = written(value);
  }
  template <class T>
  void may(const char* key, const T& value) {
    object_[key] = written(value);
  }
  /// Only what is not empty is written.
  template <class T>
  void if_there(const char* key, const T& value) {
    if constexpr (requires { value.has_value(); }) {
      if (value.has_value()) object_[key] = written(*value);
    } else {
      if (!value.empty()) object_[key] = written(value);
    }
  }
  /// A number that says which version wrote this.
  void version(const char* key, int number, const char*) { object_[key] = number; }

  json take() { return std::move(object_); }

 private:
  json object_ = json::object();
};

/// The object of a record's fields.
template <class T>
json of_fields(const T& record) {
  Writer visit;
  fields(visit, const_cast<T&>(record));  // which a Writer only looks at
  return visit.take();
}

template <class T>
json written(const T& value) {
  if constexpr (std::is_same_v<T, json>) {
    return value;
  } else if constexpr (std::is_same_v<T, VariantName>) {
    return json(value.name());
  } else if constexpr (std::is_same_v<T, Shown>) {
    return json(value.variant.shown());
  } else if constexpr (IsPart<T>) {
    return to_json(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    return json_reading::number(value);
  } else if constexpr (std::is_arithmetic_v<T> || std::is_convertible_v<T, std::string_view>) {
    return json(value);
  } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
    return json(value.string());
  } else if constexpr (requires { value.has_value(), *value; }) {
    return value.has_value() ? written(*value) : json(nullptr);
  } else if constexpr (requires { value.from; }) {
    return json(to_string(value.value));
  } else if constexpr (requires { value.too_many; }) {
    return written(value.items);
  } else if constexpr (requires { typename T::mapped_type; }) {
    json object = json::object();
    for (const auto& [key, item] : value) object[key_text(key)] = written(item);
    return object;
  } else if constexpr (requires { typename T::value_type; }) {
    json list = json::array();
    for (const auto& item : value) list.push_back(written(item));
    return list;
  } else {
    return of_fields(value);
  }
}

template <class T>
bool read(const json& value, T& into, bool whole, std::string& problem);
template <class T>
bool read_fields(const json& value, T& into, bool whole, std::string& problem);

/// Fills a record from an object.
class Reader {
 public:
  static constexpr bool reads = true;

  Reader(const json& object, bool whole, std::string& problem)
      : object_(object), whole_(whole), problem_(problem) {}

  template <class T>
  void operator()(const char* key, T&& value) {
    take(key, value, whole_);
  }
  template <class T>
  void may(const char* key, T&& value) {
    take(key, value, false);
  }
  template <class T>
  void if_there(const char* key, T&& value) {
    take(key, value, false);
    if constexpr (requires { value.has_value(); })
      if (whole_ && object_.contains(key) && !value.has_value()) refuse(not_that_type);
  }
  void version(const char* key, int number, const char* another) {
    const auto found = object_.find(key);
    if (found == object_.end()) return refuse(not_that_type);
    if (*found != number) refuse(another);
  }
  /// The record is none of ours.
  void refuse(const char* why) {
    if (problem_.empty()) problem_ = why;
  }

 private:
  template <class T>
  void take(const char* key, T& value, bool must) {
    const auto found = object_.find(key);
    if (found == object_.end()) {
      if (must && !is_optional(value)) refuse(not_that_type);
    } else if (!read(*found, value, whole_, problem_)) {
      refuse(not_that_type);
    }
  }
  template <class T>
  static constexpr bool is_optional(const T&) {
    return requires(T value) { value.reset(); };
  }

  const json& object_;
  const bool whole_;
  std::string& problem_;
};

/// False if `value` cannot be one; read leniently, what does not fit is left out.
template <class T>
bool read(const json& value, T& into, bool whole, std::string& problem) {
  const auto refuse = [&](const char* why) {
    if (whole && problem.empty()) problem = why;
    return !whole;
  };
  if constexpr (std::is_same_v<T, json>) {
    into = value;
    return true;
  } else if constexpr (std::is_same_v<T, VariantName>) {
    if (value.is_string()) into = VariantName(value.get_ref<const std::string&>());
    return value.is_string();
  } else if constexpr (std::is_same_v<T, Shown>) {
    return read(value, into.variant, whole, problem);
  } else if constexpr (IsPart<T>) {
    return read_json(value, into);
  } else if constexpr (std::is_same_v<T, bool>) {
    if (value.is_boolean()) into = value.get<bool>();
    return value.is_boolean();
  } else if constexpr (std::is_arithmetic_v<T>) {
    const auto number = json_reading::number_in<T>(value);
    if (number) into = *number;
    return number.has_value();
  } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::filesystem::path>) {
    if (value.is_string()) into = value.get<std::string>();
    return value.is_string();
  } else if constexpr (requires { into.reset(), into.has_value(); }) {
    typename T::value_type inner{};
    std::string own;
    const bool fits = !value.is_null() && read(value, inner, true, own) && own.empty();
    into = fits ? T(std::move(inner)) : T();
    return true;
  } else if constexpr (requires { into.from, into.has_value(); }) {
    into.value = value.is_string() ? into.from(value.get<std::string>()) : std::nullopt;
    return true;
  } else if constexpr (requires { into.from; }) {
    const auto found =
        value.is_string() ? into.from(value.template get<std::string>()) : std::nullopt;
    if (found) into.value = *found;
    return found || (value.is_string() && refuse(into.unknown));
  } else if constexpr (requires { into.too_many; }) {
    if (whole && value.size() > into.most) return refuse(into.too_many);
    const bool fits = read(value, into.items, whole, problem);
    if (into.items.size() > into.most) into.items.resize(into.most);
    return fits;
  } else if constexpr (requires { typename T::mapped_type; }) {
    if (!value.is_object()) return false;
    into.clear();
    for (const auto& [key, item] : value.items()) {
      typename T::mapped_type one{};
      if (read(item, one, whole, problem))
        into.emplace(typename T::key_type(key), std::move(one));
      else if (!refuse(not_that_type))
        return false;
    }
    return true;
  } else if constexpr (requires { typename T::value_type; }) {
    if (!value.is_array()) return false;
    into.clear();
    for (const json& item : value) {
      typename T::value_type one{};
      if (read(item, one, whole, problem))
        into.push_back(std::move(one));
      else if (!refuse(not_that_type))
        return false;
    }
    return true;
  } else {
    return read_fields(value, into, whole, problem);
  }
}

template <class T>
bool read_fields(const json& value, T& into, bool whole, std::string& problem) {
  if (!value.is_object()) return false;
  Reader visit(value, whole, problem);
  fields(visit, into);
  return true;
}

/// Throws std::invalid_argument, saying what is wrong, as json_reading::decode_line() expects.
template <class T>
T whole(const json& value) {
  T record{};
  std::string problem;
  if (!read(value, record, true, problem)) problem = not_that_type;
  if (!problem.empty()) throw std::invalid_argument(problem);
  return record;
}

template <class T>
T lenient(const json& value) {
  T record{};
  std::string ignored;
  (void)read_fields(value, record, false, ignored);
  return record;
}

}  // namespace klab::json_fields
