// VariantName: which kernel of a lab a value belongs to.
#pragma once

#include <compare>
#include <string>
#include <string_view>

namespace klab {

/// The learner's kernel, the flawed one, the optimized one, or another file by its name. Two words
/// stand for the learner's: records say "candidate", since any file may be checked in its place,
/// and a reader is told "mine".
class VariantName {
 public:
  enum class Kind { mine, flawed, optimized, other };
  static const VariantName mine, flawed, optimized;

  VariantName() = default;  ///< none
  /// The kernel that a record or a reader's word names.
  explicit VariantName(std::string_view name) : kind_(kind_of(name)) {
    if (kind_ == Kind::other) other_ = name;
  }

  Kind kind() const { return kind_; }
  bool empty() const { return kind_ == Kind::other && other_.empty(); }
  bool starts_with(std::string_view prefix) const { return view().starts_with(prefix); }
  /// As records and files say it.
  std::string name() const { return std::string(view()); }
  /// As a reader is told.
  std::string shown() const { return kind_ == Kind::mine ? "mine" : name(); }

  friend bool operator==(const VariantName&, const VariantName&) = default;
  /// In the order of their names, which records keep.
  friend std::strong_ordering operator<=>(const VariantName& one, const VariantName& other) {
    return one.view() <=> other.view();
  }

  /// For nlohmann::json: the name as records say it.
  template <class Json>
  friend void to_json(Json& json, const VariantName& variant) {
    json = variant.name();
  }
  template <class Json>
  friend void from_json(const Json& json, VariantName& variant) {
    variant = VariantName(json.template get_ref<const std::string&>());
  }

 private:
  static Kind kind_of(std::string_view name) {
    if (name == "candidate" || name == "mine") return Kind::mine;
    if (name == "flawed") return Kind::flawed;
    return name == "optimized" ? Kind::optimized : Kind::other;
  }
  std::string_view view() const {
    switch (kind_) {
      case Kind::mine:
        return "candidate";
      case Kind::flawed:
        return "flawed";
      case Kind::optimized:
        return "optimized";
      case Kind::other:
        break;
    }
    return other_;
  }

  Kind kind_ = Kind::other;
  std::string other_;
};

inline const VariantName VariantName::mine{"mine"};
inline const VariantName VariantName::flawed{"flawed"};
inline const VariantName VariantName::optimized{"optimized"};

}  // namespace klab
