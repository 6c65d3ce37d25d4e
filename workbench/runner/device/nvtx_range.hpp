// NvtxRange: a named span in the domain "klab", so that an external timeline reads like the
// program.
#pragma once

#include <string>

#include <nvtx3/nvtx3.hpp>

#include "core/verdict/variant_name.hpp"

namespace klab::runner {

struct NvtxDomain {
  static constexpr const char* name{"klab"};
};

/// From construction to the end of the scope: "time: sample" with the variant, or what else it is
/// of, as its message.
class NvtxRange {
 public:
  explicit NvtxRange(const std::string& what, const std::string& of = {})
      : range_(nvtx3::event_attributes{nvtx3::message{of.empty() ? what : what + ": " + of}}) {}
  NvtxRange(const std::string& what, const VariantName& variant)
      : NvtxRange(what, variant.name()) {}

 private:
  nvtx3::scoped_range_in<NvtxDomain> range_;
};

}  // namespace klab::runner
