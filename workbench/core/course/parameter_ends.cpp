#include "core/course/parameter_ends.hpp"

#include "core/base/files.hpp"

namespace klab {

std::vector<ParameterEnd> parameter_ends(const Lab& lab) {
  std::vector<ParameterEnd> ends;
  for (const Variant& variant : variants(lab)) {
    const auto text = read_file(variant.path);
    if (!text) continue;
    for (const Parameter& parameter : lab.parameters) {
      if (text->find("#ifndef " + parameter.define + "\n") == std::string::npos) continue;
      for (const std::int64_t value : {parameter.values.front(), parameter.values.back()})
        ends.push_back({variant, &parameter, value});
    }
  }
  return ends;
}

}  // namespace klab
