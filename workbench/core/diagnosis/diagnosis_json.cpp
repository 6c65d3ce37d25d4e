// A diagnosis as JSON, for `--json` and records. Nothing reads it back: it follows from the facts.
#include <nlohmann/json.hpp>

#include "core/diagnosis/diagnosis.hpp"
#include "core/verdict/json/json_reading.hpp"

namespace klab {
namespace {

using nlohmann::json;

json to_json(const EvidenceRow& evidence) {
  return {{"label", evidence.label},
          {"value", json_reading::number(evidence.value)},
          {"unit", evidence.unit},
          {"source", to_string(evidence.source)},
          {"says", evidence.says}};
}

json to_json(const Experiment& experiment) {
  return {{"act", shell_words(experiment.act)}, {"expect", experiment.expect}};
}

json to_json(const Lack& lack) { return {{"what", lack.what}, {"why", shell_words(lack.why)}}; }

template <class T>
json array_of(const std::vector<T>& items);

json to_json(const Waste& waste) {
  return {{"name", waste.name},
          {"sentence", waste.sentence},
          {"evidence", array_of(waste.evidence)},
          {"experiment", to_json(waste.experiment)}};
}

template <class T>
json array_of(const std::vector<T>& items) {
  json array = json::array();
  for (const T& item : items) array.push_back(to_json(item));
  return array;
}

}  // namespace

json to_json(const Diagnosis& diagnosis) {
  const auto named = [](const auto& value) {
    return value ? json(to_string(*value)) : json(nullptr);
  };
  return {{"variant", diagnosis.variant},
          {"class", named(diagnosis.bottleneck)},
          {"level", diagnosis.level ? to_string(*diagnosis.level) : ""},
          {"sentence", diagnosis.sentence},
          {"evidence", array_of(diagnosis.evidence)},
          {"confidence", named(diagnosis.confidence)},
          {"distance", diagnosis.distance},
          {"wastes", array_of(diagnosis.wastes)},
          {"experiments", array_of(diagnosis.experiments)},
          {"lacks", array_of(diagnosis.lacks)},
          {"unchecked", diagnosis.unchecked}};
}

}  // namespace klab
