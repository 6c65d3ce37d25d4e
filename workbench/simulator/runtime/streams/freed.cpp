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
  // "A copy": a sentence begins with it.
  finding.message = fmt::format(
      "A{} {} memory that is freed in front of it: {}. Free it behind the last work that uses it: "
      "cudaFreeAsync comes in the stream's order, so call it after {} on the same stream",
      work.substr(1), does, finding.allocation, "the" + work.substr(1));
  runtime.add(std::move(finding));
  runtime.errors.set_fatal(cudaErrorIllegalAddress, work);
}

}  // namespace klab::sim
