// Reads lab.toml: every key is known, present where needed, of the right type and possible.
#include "core/lab.hpp"

#include <algorithm>
#include <regex>

// Errors are values here, not exceptions; the library asks for that by this definition.
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "core/ceilings.hpp"
#include "core/files.hpp"
#include "core/metric_catalogue.hpp"
#include "core/names.hpp"

namespace klab {
namespace {

/// The first thing wrong with one file; later ones would often only follow from it.
class Complaint {
 public:
  explicit Complaint(std::string file) : file_(std::move(file)) {}
  void at(toml::source_region where, const std::string& what, std::string remedy = {}) {
    if (error_) return;
    error_ =
        make_error(ErrorCode::bad_lab,
                   file_ + ":" + std::to_string(std::max<toml::source_index>(where.begin.line, 1)) +
                       ": " + what,
                   std::move(remedy));
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  std::string file_;
  std::optional<Error> error_;
};

/// What a node is, in words.
std::string kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return "text";
    case toml::node_type::integer:
      return "a whole number";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or time";
  }
}

/// Reads the keys of one table and remembers which it was asked for; finish() reports the others.
class TableReader {
 public:
  TableReader(Complaint& complaint, const toml::table& table, std::string prefix)
      : complaint_(complaint), table_(table), prefix_(std::move(prefix)) {}

  bool has(const std::string& key) {
    asked_.push_back(key);
    return table_.contains(key);
  }

  /// The node under a key that must be there; null and a complaint if it is not.
  const toml::node* needed(const std::string& key, const std::string& expected) {
    if (has(key)) return table_.get(key);
    std::vector<std::string> present;
    for (const auto& [name, node] : table_)
      if (std::find(asked_.begin(), asked_.end(), name.str()) == asked_.end())
        present.emplace_back(name.str());
    const auto near = near_names(key, present, 1);
    complaint_.at(table_.source(),
                  "the key `" + prefix_ + key + "` is missing; expected " + expected + ".",
                  near.empty() ? "" : "Did you mean it by `" + prefix_ + near.front() + "`?");
    return nullptr;
  }

  std::string text(const std::string& key) {
    const std::string expected = "text of 1 to 4000 characters";
    const toml::node* node = needed(key, expected);
    return node ? text_of(*node, key, expected) : std::string{};
  }

  std::vector<std::string> texts(const std::string& key, std::size_t least) {
    const std::string expected = "an array of at least " + std::to_string(least) + " texts";
    std::vector<std::string> values;
    each(key, expected, least, 64, [&](const toml::node& node, const std::string& name) {
      values.push_back(text_of(node, name, expected));
    });
    return values;
  }

  /// Calls `use(element, "key[i]")` for each element of an array of `least` to `most` elements.
  template <class Use>
  void each(const std::string& key, const std::string& expected, std::size_t least,
            std::size_t most, Use use) {
    const toml::node* node = least > 0  ? needed(key, expected)
                             : has(key) ? table_.get(key)
                                        : nullptr;
    if (node == nullptr) return;
    const toml::array* array = node->as_array();
    if (array == nullptr || array->size() < least || array->size() > most) {
      wrong(*node, key, expected);
      return;
    }
    std::size_t index = 0;
    for (const toml::node& element : *array) {
      use(element, key + "[" + std::to_string(index) + "]");
      ++index;
    }
  }

  double number(const std::string& key, double fallback, bool required, double low, double high) {
    const std::string expected = "a number from " + short_number(low) + " to " + short_number(high);
    if (!required && !has(key)) return fallback;
    const toml::node* node = needed(key, expected);
    if (node == nullptr) return fallback;
    const auto value = node->is_number() ? node->value<double>() : std::nullopt;
    if (value && *value >= low && *value <= high) return *value;
    wrong(*node, key, expected);
    return fallback;
  }

  int whole(const std::string& key, int fallback, bool required, int low, int high) {
    const std::string expected =
        "a whole number from " + std::to_string(low) + " to " + std::to_string(high);
    if (!required && !has(key)) return fallback;
    const toml::node* node = needed(key, expected);
    if (node == nullptr) return fallback;
    const auto value = node->value_exact<std::int64_t>();
    if (value && *value >= low && *value <= high) return static_cast<int>(*value);
    wrong(*node, key, expected);
    return fallback;
  }

  /// One of `allowed`; `fallback` if the key may be absent and is.
  std::string one_of(const std::string& key, const std::vector<std::string>& allowed,
                     const std::optional<std::string>& fallback = {}) {
    if (fallback && !has(key)) return *fallback;
    // A long list helps nobody; the near names do.
    constexpr std::size_t most_listed = 12;
    const std::string expected =
        allowed.size() <= most_listed
            ? join_or(allowed)
            : "one of the " + std::to_string(allowed.size()) + " known names";
    const toml::node* node = needed(key, expected);
    if (node == nullptr) return {};
    const auto value = node->value_exact<std::string>();
    if (value && std::find(allowed.begin(), allowed.end(), *value) != allowed.end()) return *value;
    std::string remedy;
    if (const auto near = near_names(value.value_or(""), allowed); value && !near.empty())
      remedy = "Did you mean \"" + near.front() + "\"?";
    wrong(*node, key, expected, remedy);
    return {};
  }

  std::optional<Bound> bound(const std::string& key, bool required) {
    const std::string expected = "a bound as text, such as \"<= 4.5\", \">= 16\" or \"== 1\"";
    if (!required && !has(key)) return std::nullopt;
    const toml::node* node = needed(key, expected);
    if (node == nullptr) return std::nullopt;
    const auto value = node->value_exact<std::string>();
    const auto parsed = value ? parse_bound(*value) : std::nullopt;
    if (!parsed) wrong(*node, key, expected);
    return parsed;
  }

  /// Calls `use(reader)` for the table under a key; an optional one may be absent.
  template <class Use>
  void table(const std::string& key, bool required, Use use) {
    if (!required && !has(key)) return;
    const toml::node* node = needed(key, "a table");
    if (node == nullptr) return;
    if (const toml::table* inner = node->as_table())
      with(*inner, prefix_ + key + ".", use);
    else
      wrong(*node, key, "a table");
  }

  /// Calls `use(reader)` for each table of an array of tables.
  template <class Use>
  void tables(const std::string& key, std::size_t least, Use use) {
    const std::string expected = "at least " + std::to_string(least) + " table [[" + key + "]]";
    each(key, expected, least, 32, [&](const toml::node& node, const std::string& name) {
      if (const toml::table* inner = node.as_table())
        with(*inner, prefix_ + name + ".", use);
      else
        wrong(node, name, "a table");
    });
  }

  void wrong(const toml::node& node, const std::string& key, const std::string& expected,
             std::string remedy = {}) {
    std::string found = kind_of(node);
    if (const auto value = node.value_exact<std::string>())
      found = "\"" + value->substr(0, 60) + "\"";
    else if (const auto number = node.value_exact<std::int64_t>())
      found = std::to_string(*number);
    complaint_.at(node.source(),
                  "`" + prefix_ + key + "` must be " + expected + ", found " + found + ".",
                  std::move(remedy));
  }

  void finish() {
    for (const auto& [key, node] : table_) {
      const std::string name(key.str());
      if (std::find(asked_.begin(), asked_.end(), name) != asked_.end()) continue;
      const auto near = near_names(name, asked_, 1);
      complaint_.at(key.source(), "the key `" + prefix_ + name + "` is unknown.",
                    near.empty() ? "Remove it, or see docs/adding-a-lab.md for the keys there are."
                                 : "Did you mean `" + prefix_ + near.front() + "`?");
    }
  }

 private:
  template <class Use>
  void with(const toml::table& inner, std::string prefix, Use use) {
    TableReader reader(complaint_, inner, std::move(prefix));
    use(reader);
    reader.finish();
  }

  std::string text_of(const toml::node& node, const std::string& key, const std::string& expected) {
    const auto value = node.value_exact<std::string>();
    if (value && !value->empty() && value->size() <= 4000) return *value;
    wrong(node, key, expected);
    return {};
  }

  static std::string short_number(double value) {
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
  }

  Complaint& complaint_;
  const toml::table& table_;
  std::string prefix_;
  std::vector<std::string> asked_;
};

Size read_size(TableReader& reader, const toml::node& node, const std::string& key,
               std::size_t dimensions) {
  const std::string expected = "an array of " + std::to_string(dimensions) +
                               " whole numbers from 1 to 2^40, one for each of `dimensions`";
  Size size;
  if (const toml::array* array = node.as_array())
    for (const toml::node& element : *array) {
      const auto extent = element.value_exact<std::int64_t>();
      if (extent && *extent >= 1 && *extent <= (std::int64_t{1} << 40)) size.push_back(*extent);
    }
  if (size.size() != dimensions || node.as_array()->size() != dimensions)
    reader.wrong(node, key, expected);
  return size;
}

LabSizes read_sizes(TableReader& reader, std::size_t dimensions) {
  LabSizes sizes;
  if (const toml::node* node = reader.needed("timing", "the size to time at"))
    sizes.timing = read_size(reader, *node, "timing", dimensions);
  reader.each("checking", "an array of at least one size", 1, 64,
              [&](const toml::node& node, const std::string& key) {
                sizes.checking.push_back(read_size(reader, node, key, dimensions));
              });
  if (const toml::node* node = reader.needed("simulator", "the size to simulate"))
    sizes.simulator = read_size(reader, *node, "simulator", dimensions);
  return sizes;
}

/// The speed-up that each choice stands for, ascending and without overlap: `[[1, 2], [2, 8]]`.
std::vector<RatioBand> read_bands(TableReader& reader, std::size_t choices) {
  std::vector<RatioBand> bands;
  const std::string expected =
      "as many pairs [low, high] as there are choices, each beginning where the one before ended "
      "or above";
  double last = 0;
  reader.each("bands", expected, 0, 64, [&](const toml::node& node, const std::string& name) {
    const toml::array* pair = node.as_array();
    const auto end = [&](std::size_t i) {
      const auto value = pair && pair->size() == 2 ? pair->get(i)->value<double>() : std::nullopt;
      return value && *value <= 1e6 ? *value : -1;
    };
    const RatioBand band{end(0), end(1)};
    if (band.low < last || band.high <= band.low || bands.size() == choices)
      reader.wrong(node, name, expected);
    last = band.high;
    bands.push_back(band);
  });
  if (!bands.empty() && bands.size() < choices)
    reader.wrong(*reader.needed("bands", expected), "bands", expected);
  return bands;
}

Prediction read_prediction(TableReader& reader) {
  Prediction prediction;
  prediction.question = reader.text("question");
  prediction.choices = reader.texts("choices", 2);
  const int last = std::max(0, static_cast<int>(prediction.choices.size()) - 1);
  prediction.answer = reader.whole("answer", 0, true, 0, last);
  prediction.because = reader.text("because");
  prediction.bands = read_bands(reader, prediction.choices.size());
  return prediction;
}

CauseTarget read_cause(TableReader& reader) {
  CauseTarget cause;
  std::vector<std::string> known;
  for (const Metric& metric : metric_catalogue()) known.emplace_back(metric.name);
  cause.metric = reader.one_of("metric", known);
  cause.target = reader.bound("target", true).value_or(Bound{});
  cause.flawed = reader.bound("flawed", false);
  cause.why = reader.text("why");
  return cause;
}

TimeTarget read_time(TableReader& reader) {
  TimeTarget target;
  target.speedup = reader.number("speedup", 1, true, 0.5, 1e6);
  reader.table("ceiling", false, [&](TableReader& inner) {
    std::vector<std::string> known;
    for (const CeilingInfo& info : ceiling_catalogue()) known.emplace_back(info.name);
    CeilingTarget ceiling;
    ceiling.of = inner.one_of("of", known);
    ceiling.at_least = inner.number("at_least", 0, true, 0.01, 1);
    target.ceiling = ceiling;
  });
  return target;
}

Parameter read_parameter(TableReader& reader) {
  static const std::regex identifier("[A-Z][A-Z0-9_]{0,39}");
  const std::string expected = "an array of 2 to 32 whole numbers from 1 to 2^31, ascending";
  Parameter parameter;
  parameter.name = reader.text("name");
  parameter.define = reader.text("define");
  if (const toml::node* node = reader.needed("define", "a name");
      node && !std::regex_match(parameter.define, identifier))
    reader.wrong(*node, "define", "a name of capital letters, digits and _, such as BLOCK");
  reader.each("values", expected, 2, 32, [&](const toml::node& node, const std::string& key) {
    const auto value = node.value_exact<std::int64_t>();
    const bool ascends = parameter.values.empty() || (value && *value > parameter.values.back());
    if (!value || *value < 1 || *value > (std::int64_t{1} << 31) || !ascends)
      return reader.wrong(node, key, expected);
    parameter.values.push_back(*value);
  });
  parameter.fallback = reader.whole("default", 0, true, 1, 1 << 30);
  return parameter;
}

/// Everything in lab.toml but what the folder's name says.
Lab read_lab(TableReader& reader) {
  Lab lab;
  lab.title = reader.text("title");
  lab.category = reader.one_of("category", {"compute", "memory", "overhead", "communication"});
  lab.summary = reader.text("summary");
  lab.concepts = reader.texts("concepts", 1);
  lab.minimum_compute_capability = reader.whole("minimum_compute_capability", 75, false, 75, 999);
  lab.gpus = reader.whole("gpus", 1, false, 1, 64);
  lab.time_limit_s = reader.number("time_limit_s", 20, false, 0.1, 3600);
  lab.timing = reader.one_of("timing", {"device", "wall"}, "device") == "wall" ? TimingMode::wall
                                                                               : TimingMode::device;
  lab.dimensions = reader.texts("dimensions", 1);
  reader.table("sizes", true,
               [&](TableReader& inner) { lab.sizes = read_sizes(inner, lab.dimensions.size()); });
  lab.hints = reader.texts("hints", 1);
  reader.tables("prediction", 0,
                [&](TableReader& inner) { lab.predictions.push_back(read_prediction(inner)); });
  reader.tables("cause", 1, [&](TableReader& inner) { lab.causes.push_back(read_cause(inner)); });
  reader.tables("parameter", 0,
                [&](TableReader& inner) { lab.parameters.push_back(read_parameter(inner)); });
  reader.table("time", true, [&](TableReader& inner) { lab.time = read_time(inner); });
  reader.finish();
  return lab;
}

}  // namespace

Result<Lab> load_lab(const std::filesystem::path& root, const std::string& folder) {
  static const std::regex pattern("[0-9]{2}(_[a-z0-9]+)+");
  const std::string shown = "labs/" + folder.substr(0, 80) + "/lab.toml";
  if (!std::regex_match(folder.substr(0, 80), pattern) || folder.size() > 80)
    return make_error(ErrorCode::bad_lab,
                      shown +
                          ":1: the folder's name must be two digits and words of small letters, "
                          "such as 02_coalescing.",
                      "Rename the folder under labs/, kernels/ and solutions/.");
  const std::filesystem::path path = root / "labs" / folder / "lab.toml";
  auto text = read_file(path, 256u << 10);
  if (!text)
    return make_error(
        ErrorCode::bad_lab, shown + ":1: the file cannot be read: " + text.error().what,
        "A lab is a folder with lab.toml, lesson.md, contract.cuh and workload.cu; see "
        "docs/adding-a-lab.md.");
  const toml::parse_result parsed = toml::parse(*text, shown);
  Complaint complaint(shown);
  if (!parsed) {
    complaint.at(parsed.error().source(),
                 "not valid TOML: " + std::string(parsed.error().description()) + ".",
                 "Correct that line; https://toml.io describes the format.");
    return *complaint.error();
  }
  TableReader reader(complaint, parsed.table(), "");
  Lab lab = read_lab(reader);
  if (complaint.error()) return *complaint.error();
  lab.number = std::stoi(folder.substr(0, 2));
  lab.slug = folder.substr(3);
  std::replace(lab.slug.begin(), lab.slug.end(), '_', '-');
  lab.folder = folder;
  lab.id = folder.substr(0, 2) + "-" + lab.slug;
  lab.root = root;
  return lab;
}

}  // namespace klab
