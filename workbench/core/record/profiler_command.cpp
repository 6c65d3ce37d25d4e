// What nsys traces and which launches ncu looks into.
#include "core/record/profiler_command.hpp"

#include "core/record/ncu_report.hpp"

namespace klab {

std::vector<std::string> profiler_command(const std::string& tool, const std::string& output) {
  if (tool == "ncu") {
    std::vector<std::string> command = {
        "ncu", "--set",    "full", "--import-source", "yes", "--force-overwrite", "--launch-count",
        "20",  "--export", output};
    for (std::string& word : ncu_only_launches(VariantName::mine))
      command.push_back(std::move(word));
    return command;
  }
  // Samples of the host need rights that containers lack, and say nothing of the kernel.
  return {"nsys",
          "profile",
          "--trace=cuda,nvtx",
          "--sample=none",
          "--cpuctxsw=none",
          "--force-overwrite=true",
          "--output=" + output};
}

}  // namespace klab
