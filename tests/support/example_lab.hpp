// A complete lab as text, for tests that read labs and never build them.
#pragma once

#include <string>

#include "support/temporary_folder.hpp"

namespace klab::test {

inline const std::string example_lab_toml = R"(title = "Rows and columns"
category = "memory"
summary = "A sum over rows takes far longer than the bytes it reads."
concepts = ["coalescing"]
minimum_compute_capability = 80
gpus = 1
time_limit_s = 12.5
timing = "device"
dimensions = ["rows", "columns"]
hints = ["Look at the counter.", "Look at the index.", "Swap the loops."]

[sizes]
timing = [65536, 1024]
checking = [[1, 1], [31, 33]]
simulator = [256, 128]

[[prediction]]
question = "What is wrong?"
choices = ["Divergence", "Strided reads"]
answer = 1
because = "Neighbouring threads are a row apart."

[[rung]]
name = "coalesced"

[[rung.cause]]
metric = "global_load_sectors_per_request"
target = "<= 4.5"
flawed = ">= 16"
why = "a warp that reads 32 neighbouring floats touches 4 sectors"

[rung.time]
speedup = 5.0
ceiling = { of = "dram_copy", at_least = 0.8 }
)";

inline const std::string flawed_kernel = "// flawed\nint flawed;\n";
inline const std::string optimized_kernel = "// optimized\nint optimized;\n";

/// Writes one lab with all its files into `folder`.
inline void write_lab(const TemporaryFolder& folder, const std::string& name,
                      const std::string& toml = example_lab_toml) {
  folder.write("labs/" + name + "/lab.toml", toml);
  folder.write("labs/" + name + "/lesson.md",
               "# {{title}}\n\nReach **{{time.speedup}}** times the speed in `{{file}}`.\n");
  folder.write("labs/" + name + "/contract.cuh", "#pragma once\n");
  folder.write("labs/" + name + "/workload.cu", "");
  folder.write("kernels/" + name + "/flawed.cu", flawed_kernel);
  folder.write("solutions/" + name + "/optimized.cu", optimized_kernel);
  folder.write("solutions/" + name + "/explanation.md", "# Why\n\nFewer sectors.\n");
  folder.write("solutions/" + name + "/wrong_nan.cu", "// wrong\n");
  folder.write("solutions/" + name + "/slow_copy.cu", "// slow\n");
}

/// `text` with the first `from` replaced by `to`.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace klab::test
