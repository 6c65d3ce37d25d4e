// Reading a first line.
#include "core/admission/expectation.hpp"

#include <algorithm>
#include <fstream>

namespace klab {

bool Expectation::may_be_rejected_by(GateName gate) const {
  return std::find(gates.begin(), gates.end(), gate) != gates.end();
}

Expectation expectation_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  Expectation expectation;
  const std::string dashes = " — ";
  const std::size_t colon = line.find(": "), dash = line.find(dashes);
  if (!line.starts_with("//") || colon == std::string::npos || dash == std::string::npos ||
      dash < colon)
    return expectation;
  expectation.reason = line.substr(dash + dashes.size());
  std::string list = line.substr(colon + 2, dash - colon - 2) + ",";
  for (std::size_t at; (at = list.find(" or ")) != std::string::npos;) list.replace(at, 4, ",");
  for (std::size_t start = 0, end; (end = list.find(',', start)) != std::string::npos;
       start = end + 1) {
    std::string gate = list.substr(start, end - start);
    gate.erase(0, gate.find_first_not_of(' '));
    gate.erase(gate.find_last_not_of(' ') + 1);
    if (gate == "hang" || gate == "fault" || gate == "crash") gate = to_string(GateName::correct);
    if (const auto name = gate_name_from(gate))
      expectation.gates.push_back(*name);
    else if (gate == to_string(Outcome::pass))
      expectation.passes = true;
    else if (!gate.empty())
      expectation.no_gates.push_back(gate);
  }
  return expectation;
}

}  // namespace klab
