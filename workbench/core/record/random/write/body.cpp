// Writing bodies: steps of a thread alone, and what warps and blocks do between them.
#include "core/record/random/write/body.hpp"

#include <fmt/format.h>

#include <array>

#include "core/record/random/write/kernel_text.hpp"

namespace klab::random_kernel {

std::string BodyWriter::kernel() {
  blocks_ = 1 + draw_.below(4);
  threads_ = 32 << draw_.below(4);
  body_ = at_first_;
  const int parts = 5 + draw_.below(5);
  for (int i = 0; i < parts; ++i) part(2);
  return kernel_text(number_, functions_ + steps_, body_);
}

void BodyWriter::part(int depth) {
  if (depth > 0 && draw_.one_in(8)) {
    const int times = 2 + draw_.below(3);
    body_ += fmt::format("{2}for (int round_{0} = 0; round_{0} < {1}; ++round_{0}) {{\n", loops_++,
                         times, rolled_);
    part(depth - 1), part(depth - 1);
    body_ += "}\n";
  } else if (depth > 0 && draw_.one_in(8)) {
    body_ += "if (side.block() % 2 == 0) {\n";
    part(depth - 1);
    body_ += "} else {\n";
    part(depth - 1);
    body_ += "}\n";
  } else if (draw_.one_in(2)) {
    step();
  } else {
    body_ += together() + behind_together_;
  }
}

void BodyWriter::step() {
  const int step = steps_written_++;
  steps_ += fmt::format(
      "static {}__host__ __device__ void step_{}_{}(Thread& t, const u32* in) {{\n{}}}\n", inlined_,
      number_, step, block(3) + block(2));
  body_ += fmt::format("side.template each<step_{}_{}>();\n", number_, step);
}

std::string BodyWriter::member(bool any_type) {
  static constexpr std::array<const char*, 8> members{"u0", "u1", "u2", "u3",
                                                      "w0", "w1", "f0", "d1"};
  return fmt::format("&Thread::{}",
                     members[static_cast<std::size_t>(draw_.below(any_type ? 8 : 4))]);
}

std::string BodyWriter::together() {
  const auto m = [&] { return member(false); };
  if (wide_ && draw_.one_in(3)) return together_wide();
  switch (draw_.below(20)) {
    case 0:
      return fmt::format("side.flip({}, {});\n", member(true), 1 << draw_.below(5));
    case 1:
      return fmt::format("side.shift_up({}, {});\n", member(true), 1 + draw_.below(31));
    case 2:
      return fmt::format("side.shift_down({}, {}, {});\n", member(true), 1 + draw_.below(7),
                         8 << draw_.below(3));
    case 3:
      return fmt::format("side.pick({}, {});\n", member(true), m());
    case 4:
      return fmt::format("side.flip_halves({}, {});\n", m(), 1 << draw_.below(4));
    case 5:
      return fmt::format("side.vote({}, {});\n", m(), m());
    case 6:
      return fmt::format("side.agree({}, {});\n", m(), m());
    case 7:
      return fmt::format("side.match({}, {});\n", m(), m());
    case 8:
      return fmt::format("side.reduce({}, {});\n", m(), m());
    case 9:
      return fmt::format("side.count({}, {}, {});\n", m(), m(), m());
    case 10:
    case 11:
      return fmt::format("side.exchange({}, {}, {});\n", member(true), 1 + draw_.below(33),
                         draw_.below(40));
    case 12:
      return fmt::format("side.template exchange_narrow<{}>({}, {}, {});\n",
                         draw_.of(std::array{"u8", "i8", "u16", "i16"}), m(), 1 + draw_.below(33),
                         draw_.below(40));
    case 13:
      return fmt::format("side.exchange_four({}, {});\n", 1 + draw_.below(33), draw_.below(40));
    case 14:
      return fmt::format("side.mark({}, {}, {});\n", m(), m(), m());
    case 15:
      return fmt::format("{}{});\n", collect_wide_, m());
    default:
      return fmt::format(
          "{}{}, {});\n",
          fmt::format(fmt::runtime(collect_),
                      draw_.of(std::array{"add", "least", "most", "flip", "either", "both"})),
          m(), m());
  }
}

std::string BodyWriter::together_wide() {
  const auto m = [&] { return member(false); };
  switch (draw_.below(7)) {
    case 0:
      return fmt::format("side.match_all({}, {});\n", m(), m());
    case 1:
      return fmt::format("side.reduce_more({}, {});\n", m(), m());
    case 2:
      return fmt::format("side.flip_within({}, {}, {});\n", member(true), 1 << draw_.below(5),
                         2 << draw_.below(5));
    case 3:
      return fmt::format("side.template fetch<{}>({}, {}, {});\n", 4 << draw_.below(3), m(),
                         1 + draw_.below(9), draw_.below(40));
    case 4:
      return fmt::format("side.tally({}, {}, {});\n", m(), m(), m());
    case 5:
      return fmt::format("side.poll({}, {});\n", m(), m());
    default:
      return fmt::format("side.exchange_two({}, {});\n", 1 + draw_.below(33), draw_.below(40));
  }
}

}  // namespace klab::random_kernel
