// The source of random kernels of any kind.
#include <fmt/format.h>

#include "core/record/random/kernels.hpp"
#include "core/record/random/write/body.hpp"
#include "core/record/random/write/converging.hpp"
#include "core/record/random/write/memory.hpp"

namespace klab {
namespace {

/// Adds the kernel of a seed, and its line in the list of all.
template <class Writer>
void add_kernel(Writer writer, std::uint64_t seed, std::string& out, std::string& list) {
  out += writer.kernel();
  list += fmt::format("    {{{0}u, {1}, {2}, kernel_{0}, host_{0}}},\n", seed, writer.blocks(),
                      writer.threads());
}

const char* support_of(RandomKind kind) {
  switch (kind) {
    case RandomKind::usual:
      return "support.cuh";
    case RandomKind::structured:
    case RandomKind::masked:
      return "lanes.cuh";
    case RandomKind::memory:
      break;
  }
  return "memory_host.cuh";
}

}  // namespace

bool random_kernel_divides(std::uint64_t seed, RandomKind kind) {
  return kind == RandomKind::usual && random_kernel::BodyWriter(seed).has_divisions();
}

std::string random_kernels_source(const Seeds& seeds, RandomKind kind) {
  // Recordings hold the digest of every word of it.
  std::string out =
      fmt::format("// Written from seeds; see core/record/random_kernels.hpp.\n#include \"{}\"\n\n",
                  support_of(kind));
  std::string list;
  for (const std::uint64_t seed : seeds) {
    if (kind == RandomKind::usual)
      add_kernel(random_kernel::BodyWriter(seed), seed, out, list);
    else if (kind == RandomKind::memory)
      add_kernel(random_kernel::MemoryWriter(seed), seed, out, list);
    else
      add_kernel(random_kernel::ConvergingWriter(seed, kind), seed, out, list);
  }
  return out + "static const bool added = add_subjects({\n" + list + "});\n";
}

}  // namespace klab
