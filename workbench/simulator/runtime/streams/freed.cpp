// What is said of copies and memsets whose memory was freed before they ran.
#include "simulator/runtime/streams/freed.hpp"

#include <fmt/format.h>

#include "simulator/runtime/state/runtime.hpp"

namespace klab::sim {

void tell_freed(const std::string& work, const char* does, const void* memory) {
  Runtime& runtime = Runtime::instance();
  const auto address = reinterpret_cast<std::uint64_t>(memory);
  Finding finding;
  finding.kind = FindingKind::use_after_free;
  finding.address = address;
  finding.allocation = runtime.device().memory().describe(address);
  finding.message = fmt::format(
      "A {0} {1} memory that is freed in front of it: {2}. Free it behind the last work that uses "
      "it: cudaFreeAsync comes in the stream's order, so call it after the {0} on the same stream",
      work, does, finding.allocation);
  runtime.add(std::move(finding));
  runtime.errors.set_fatal(cudaErrorIllegalAddress, {.kernel = {}, .other = "a " + work});
}

}  // namespace klab::sim
