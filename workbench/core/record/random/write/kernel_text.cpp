// What stands around the body of a random kernel.
#include "core/record/random/write/kernel_text.hpp"

#include <fmt/format.h>

namespace klab::random_kernel {

std::string kernel_text(std::uint64_t number, const std::string& functions, const std::string& body,
                        const Sides& sides) {
  return functions +
         fmt::format(
             "#pragma nv_exec_check_disable\n"
             "template <class Side> __host__ __device__ void body_{0}(Side& side) {{\n{1}}}\n"
             "__global__ void kernel_{0}(const u32* in, u64* out, u32* sums) {{\n"
             "  __shared__ alignas(16) u32 room[{4}];\n"
             "  {2} side(in, out, sums, room);\n  body_{0}(side);\n  end(side.t, "
             "out);\n}}\n"
             "static void host_{0}(HostSide& side) {{ {3} }}\n\n",
             number, body, sides.device, fmt::format(fmt::runtime(sides.host), number), sides.room);
}

}  // namespace klab::random_kernel
