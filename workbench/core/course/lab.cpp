// Reads lab.toml: every key is known, present where needed, of the right type and possible.
#include "core/course/lab.hpp"

#include <algorithm>

#include "core/base/files.hpp"
#include "core/base/text/pattern.hpp"
#include "core/course/toml_depth.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/ceilings.hpp"
#include "core/measure/measure_policy.hpp"
#include "core/measure/table_reader.hpp"

namespace klab {
namespace {

Size read_size(TableReader& reader, const toml::node& node, const std::string& key,
               std::size_t dimensions) {
  const std::string expected = "an array of " + std::to_string(dimensions) +
                               " whole numbers from 1 to 2^40, one for each of `dimensions`";
  Size size;
  if (const toml::array* array = node.as_array())
    for (const toml::node& element : *array) {
      const auto extent = element.value_exact<std::int64_t>();
      if (extent && *extent >= 1 && *extent <= longest_extent) size.push_back(*extent);
    }
  if (size.size() != dimensions || node.as_array()->size() != dimensions)
    reader.wrong(node, key, expected);
  return size;
}

/// What only GPUs can run needs no size for the simulator.
LabSizes read_sizes(TableReader& reader, std::size_t dimensions, bool may_need_gpu) {
  LabSizes sizes;
  if (const toml::node* node = reader.needed("timing", "the size to time at"))
    sizes.timing = read_size(reader, *node, "timing", dimensions);
  reader.each("checking", "an array of at least one size", 1, 64,
              [&](const toml::node& node, const std::string& key) {
                sizes.checking.push_back(read_size(reader, node, key, dimensions));
              });
  reader.table("drawn", false, [&](TableReader& inner) {
    SizeRange range{Size(dimensions, 1), {}, 0};
    if (const toml::node* node = inner.needed("highest", "the largest extents that are drawn"))
      range.highest = read_size(inner, *node, "highest", dimensions);
    range.most_elements =
        static_cast<std::int64_t>(inner.number("most_elements", 1, true, 1, 0x1p40));
    if (const double most = inner.number("most_simulated_elements", 0, false, 1, 0x1p40); most > 0)
      range.most_simulated_elements = static_cast<std::int64_t>(most);
    sizes.drawn = std::move(range);
  });
  const auto more = [&](const char* key, std::vector<Size>& to) {
    if (!reader.has(key)) return;
    reader.each(key, "an array of sizes", 1, 16,
                [&](const toml::node& node, const std::string& at) {
                  to.push_back(read_size(reader, node, at, dimensions));
                });
  };
  more("beyond", sizes.beyond);
  more("huge", sizes.huge);
  if (may_need_gpu && !reader.has("simulator")) return sizes;
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
  if (reader.has("speedup")) target.speedup = reader.number("speedup", 1, true, 0.5, 1e6);
  reader.table("ceiling", false, [&](TableReader& inner) {
    std::vector<std::string> known;
    for (const CeilingInfo& info : ceiling_catalogue()) known.emplace_back(info.name);
    CeilingTarget ceiling;
    ceiling.of = inner.one_of("of", known);
    ceiling.at_least = inner.number("at_least", 0, true, 0.01, 1);
    target.ceiling = ceiling;
  });
  if (reader.has("at_most_s")) target.at_most_s = reader.number("at_most_s", 1, true, 1e-6, 3600);
  return target;
}

BuildNeeds read_build(TableReader& reader) {
  static const Pattern library("[a-zA-Z][a-zA-Z0-9_]{0,39}");
  BuildNeeds needs;
  if (reader.has("architecture")) {
    const std::string expected = "text such as \"90a\"";
    const toml::node& node = *reader.needed("architecture", expected);
    needs.architecture = architecture_from(node.value_exact<std::string>().value_or(""));
    if (!needs.architecture || !needs.architecture->own_features)
      reader.wrong(node, "architecture", expected);
  }
  const std::string libraries = "an array of names such as \"cublas\"";
  reader.each("link", libraries, 0, 8, [&](const toml::node& node, const std::string& key) {
    const auto name = node.value_exact<std::string>();
    if (!name || !library.match(*name)) return reader.wrong(node, key, libraries);
    needs.link.push_back(*name);
  });
  return needs;
}

/// The pass of a kernel proves the reason; a further rung may ask for speed alone.
Rung read_rung(TableReader& reader, bool is_pass, LabKind kind) {
  Rung rung;
  rung.name = reader.text("name");
  const bool must_prove = is_pass && kind != LabKind::measurement;
  reader.tables("cause", must_prove ? 1 : 0,
                [&](TableReader& inner) { rung.causes.push_back(read_cause(inner)); });
  const bool must_be_fast = !is_pass && rung.causes.empty();
  reader.table("time", must_be_fast, [&](TableReader& inner) {
    rung.time = read_time(inner);
    if (!rung.time.speedup && !rung.time.ceiling && !rung.time.at_most_s)
      inner.needed("speedup", "a number, or a `ceiling`");
  });
  return rung;
}

Parameter read_parameter(TableReader& reader) {
  static const Pattern identifier("[A-Z][A-Z0-9_]{0,39}");
  const std::string expected = "an array of 2 to 32 whole numbers from 1 to 2^31, ascending";
  Parameter parameter;
  parameter.name = reader.text("name");
  parameter.define = reader.text("define");
  if (const toml::node* node = reader.needed("define", "a name");
      node && !identifier.match(parameter.define))
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

Step read_step(TableReader& reader) {
  Step step;
  step.file = VariantName(reader.text("file"));
  step.name = reader.text("name");
  step.why = reader.text("why");
  return step;
}

/// Everything in lab.toml but what the folder's name says.
Lab read_lab(TableReader& reader, int number) {
  Lab lab;
  lab.number = number;
  const std::string kind = reader.one_of("kind", {"kernel", "measurement", "mystery"}, "kernel");
  lab.kind = kind == "mystery"       ? LabKind::mystery
             : kind == "measurement" ? LabKind::measurement
                                     : LabKind::kernel;
  lab.title = reader.text("title");
  lab.category = reader.one_of("category", {"compute", "memory", "overhead", "communication"});
  lab.summary = reader.text("summary");
  lab.concepts = reader.texts("concepts", 1);
  const std::string earlier = "an array of up to 8 numbers of earlier labs, ascending";
  reader.each("builds_on", earlier, 0, 8, [&](const toml::node& node, const std::string& key) {
    const auto value = node.value_exact<std::int64_t>();
    const int last = lab.builds_on.empty() ? 0 : lab.builds_on.back();
    if (!value || *value <= last || *value >= number) return reader.wrong(node, key, earlier);
    lab.builds_on.push_back(static_cast<int>(*value));
  });
  const int oldest = oldest_compute_capability.number();
  lab.minimum_compute_capability =
      ComputeCapability::from(
          reader.whole("minimum_compute_capability", oldest, false, oldest, 999))
          .value_or(oldest_compute_capability);
  lab.gpus = reader.whole("gpus", 1, false, 1, 2);
  lab.time_limit_s = reader.number("time_limit_s", 20, false, 0.1, 3600);
  lab.timing = reader.one_of("timing", {"device", "wall"}, "device") == "wall" ? TimingMode::wall
                                                                               : TimingMode::device;
  lab.processes = reader.whole("processes", 1, false, 1, policy::most_processes);
  lab.dimensions = reader.texts("dimensions", 1);
  reader.table("build", false, [&](TableReader& inner) { lab.build = read_build(inner); });
  const bool may_need_gpu = lab.kind == LabKind::measurement || lab.gpus > 1 ||
                            lab.build.architecture || !lab.build.link.empty();
  reader.table("sizes", true, [&](TableReader& inner) {
    lab.sizes = read_sizes(inner, lab.dimensions.size(), may_need_gpu);
  });
  lab.hints = reader.texts("hints", 1);
  reader.tables("prediction", 0,
                [&](TableReader& inner) { lab.predictions.push_back(read_prediction(inner)); });
  lab.rungs.clear();
  reader.tables("rung", 1, [&](TableReader& inner) {
    lab.rungs.push_back(read_rung(inner, lab.rungs.empty(), lab.kind));
  });
  reader.tables("step", 0, [&](TableReader& inner) { lab.steps.push_back(read_step(inner)); });
  reader.tables("parameter", 0,
                [&](TableReader& inner) { lab.parameters.push_back(read_parameter(inner)); });
  reader.finish();
  return lab;
}

}  // namespace

Result<Lab> load_lab(const std::filesystem::path& root, const std::string& folder) {
  static const Pattern pattern("[0-9]{2}(_[a-z0-9]+)+");
  const std::string shown = "labs/" + folder.substr(0, 80) + "/lab.toml";
  if (!pattern.match(folder.substr(0, 80)) || folder.size() > 80)
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
  Complaint complaint(shown);
  if (const auto line = line_too_deep(*text)) {
    complaint.at({{*line, 1}, {*line, 1}, {}},
                 "a key has more than " + std::to_string(most_key_parts) +
                     " parts, or values nest deeper than " + std::to_string(most_nested_values) +
                     ".",
                 "No key of a lab has more than three parts.");
    return *complaint.error();
  }
  const toml::parse_result parsed = toml::parse(*text, shown);
  if (!parsed) {
    complaint.at(parsed.error().source(),
                 "not valid TOML: " + std::string(parsed.error().description()) + ".",
                 "Correct that line; https://toml.io describes the format.");
    return *complaint.error();
  }
  TableReader reader(complaint, parsed.table(), "");
  Lab lab = read_lab(reader, std::stoi(folder.substr(0, 2)));
  if (complaint.error()) return *complaint.error();
  lab.slug = folder.substr(3);
  std::replace(lab.slug.begin(), lab.slug.end(), '_', '-');
  lab.folder = folder;
  lab.id = folder.substr(0, 2) + "-" + lab.slug;
  lab.root = root;
  return lab;
}

}  // namespace klab
