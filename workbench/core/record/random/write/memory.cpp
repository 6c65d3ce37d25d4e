// Writing kernels of the kind "memory".
#include "core/record/random/write/memory.hpp"

#include <fmt/format.h>

#include <array>

#include "core/record/random/write/kernel_text.hpp"

namespace klab::random_kernel {
namespace {

// Lists in use are never changed: a seed means the same kernel forever.
struct Type {
  const char* name;
  int bytes;
};
constexpr std::array<Type, 12> types{{{"u8", 1},
                                      {"i8", 1},
                                      {"u16", 2},
                                      {"i16", 2},
                                      {"u32", 4},
                                      {"u64", 8},
                                      {"uint2", 8},
                                      {"uint4", 16},
                                      {"ulonglong2", 16},
                                      {"uchar4", 4},
                                      {"ushort2", 4},
                                      {"int4", 16}}};
constexpr std::array caches{"usual", "all", "global", "streaming", "read_only", "kept"};
constexpr std::array strides{"0", "1", "1",  "2",  "3",  "4",  "5",
                             "7", "8", "16", "17", "31", "32", "33"};
constexpr std::array arithmetic{"(t.u0 ^ t.u1 * 5)",
                                "(t.u2 - (t.u3 >> 7))",
                                "funnel(t.u0, t.u3, t.u1)",
                                "high_product(t.u1, t.u2)",
                                "permuted(t.u0, t.u2, t.u3)",
                                "(t.u0 & t.u1 | t.u3)",
                                "static_cast<u32>(t.w0 * 7 >> 19)",
                                "ones(t.u1) * t.u0"};

}  // namespace

std::string MemoryWriter::kernel() {
  blocks_ = 1 + draw_.below(4);
  threads_ = 32 << draw_.below(4);
  const int parts = 6 + draw_.below(6);
  for (int i = 0; i < parts; ++i) part(1);
  return kernel_text(
      number_, steps_, "side.clear_room();\n" + body_,
      {"MemoryDevice", "MemoryHost memory{{side}}; body_{0}(memory);", "memory_room_words"});
}

void MemoryWriter::part(int depth) {
  if (depth > 0 && draw_.one_in(8)) {
    body_ +=
        fmt::format("#pragma unroll 1\nfor (int round_{0} = 0; round_{0} < {1}; ++round_{0}) {{\n",
                    names_++, 2 + draw_.below(3));
    part(depth - 1), part(depth - 1);
    body_ += "}\n";
  } else if (draw_.one_in(2)) {
    step();
  } else {
    body_ += together();
  }
}

void MemoryWriter::step() {
  const int step = steps_written_++;
  std::string statements;
  const int count = 2 + draw_.below(5);
  for (int i = 0; i < count; ++i) statements += statement();
  steps_ += fmt::format(
      "static __forceinline__ __host__ __device__ void step_{}_{}(Thread& t, const u32* in) "
      "{{\n{}}}\n",
      number_, step, statements);
  body_ += fmt::format("side.template each<step_{}_{}>();\n", number_, step);
}

std::string MemoryWriter::word() { return fmt::format("t.u{}", draw_.below(4)); }
std::string MemoryWriter::member() { return fmt::format("&Thread::u{}", draw_.below(4)); }
std::string MemoryWriter::sum() {
  return draw_.of(
      std::array{"Sum::add", "Sum::least", "Sum::most", "Sum::flip", "Sum::either", "Sum::both"});
}
std::string MemoryWriter::odd_places() {
  const int times = 1 + 2 * draw_.below(20), by = draw_.below(64);
  return fmt::format("Places{{{}, {}}}", times, by);
}
std::string MemoryWriter::any_places() {
  const char* times = draw_.of(strides);
  return fmt::format("Places{{{}, {}}}", times, draw_.below(64));
}

std::string MemoryWriter::lanes() {
  const auto bits = [&] {
    const unsigned high = static_cast<unsigned>(draw_.below(1 << 16));
    return high << 16 | static_cast<unsigned>(draw_.below(1 << 16));
  };
  const unsigned some = bits(), others = bits();
  const unsigned one = 1u << draw_.below(32);
  switch (draw_.below(6)) {
    case 0:
    case 1:
      return "~0u";
    case 2:
      return fmt::format("{:#x}u", (some & others) | one);
    case 3:
      return fmt::format("{:#x}u", some | others);
    case 4:  // all behind one, or all before
      return fmt::format("{:#x}u", draw_.one_in(2) ? 0u - one : one | (one - 1));
    default:
      return fmt::format("{:#x}u", some | one);
  }
}

std::string MemoryWriter::place() {
  const char* stride = draw_.of(strides);
  const int by = draw_.below(200);
  switch (draw_.below(6)) {
    case 0:
    case 1:
      return fmt::format("t.index * {} + {}", stride, by);
    case 2:
      return fmt::format("t.index / {} + {}", 1 << draw_.below(6), by);
    case 3:
      return fmt::format("(t.index ^ {}) * {}", draw_.below(64), stride);
    case 4: {
      const int across = 2 << draw_.below(4), down = 1 + draw_.below(40);
      return fmt::format("t.index % {0} * {1} + t.index / {0} * {2}", across, stride, down);
    }
    default:
      return word();
  }
}

std::string MemoryWriter::access() {
  const std::string w = word(), p = place();
  switch (draw_.below(12)) {
    case 0:
    case 1:
    case 2:
    case 3: {
      const char* type = types[static_cast<std::size_t>(draw_.below(12))].name;
      return fmt::format("{} ^= input<{}, Cache::{}>(in, {});\n", w, type, draw_.of(caches), p);
    }
    case 4:
      return fmt::format("to_row<{0}>(t, {1}, static_cast<{0}>({2}));\n",
                         draw_.of(std::array{"u8", "u16", "u32", "u64"}), p, w);
    case 5:
      return fmt::format("{} += from_row<{}>(t, {});\n", w,
                         draw_.of(std::array{"u8", "i16", "u32", "u64"}), p);
    case 6:
      return fmt::format("quad_to_row(t, {});\n", p);
    case 7:
      return fmt::format("{} ^= four_from_row(t, {});\n", w, p);
    case 8:
      return fmt::format("to_column(t, {}, {});\n", p, w);
    case 9:
      return fmt::format("{} += from_column(t, {});\n", w, p);
    default: {
      const char* value = draw_.of(arithmetic);
      return fmt::format("{} += {} + {};\n", w, value, word());
    }
  }
}

std::string MemoryWriter::by_some() {
  std::string accesses;
  const int count = 1 + draw_.below(3);
  for (int i = 0; i < count; ++i) accesses += access();
  // Which lanes take part may depend on data: a warp of which none do makes no request.
  if (draw_.one_in(3)) {
    const int bit = 1 << draw_.below(8);
    return fmt::format("if (({} & {}u) == 0) {{\n{}}}\nmeet();\n", word(), bit, accesses);
  }
  return fmt::format("if (is_among(t.index, {})) {{\n{}}}\nmeet();\n", lanes(), accesses);
}

std::string MemoryWriter::local_array() {
  const int name = names_++, size = 8 << draw_.below(3);
  const char* type = draw_.of(std::array{"u8", "u16", "u32", "u64"});
  const int odd = 1 + 2 * draw_.below(4), first = draw_.below(size);
  const std::string value = word(), to = word();
  const int loads = 1 + draw_.below(5), stride = draw_.below(5);
  const std::string start = word();  // of a known element, ptxas keeps no array
  return fmt::format(
      "{{ volatile {1} list_{0}[{2}];\n#pragma unroll 1\nfor (u32 i = 0; i < {2}; ++i) "
      "list_{0}[(i * {3} + {4}) % {2}] = static_cast<{1}>({5} * (i + 1));\n"
      "#pragma unroll 1\nfor (u32 i = 0; i < {6}; ++i) {7} += "
      "static_cast<u32>(list_{0}[({8} + i * {9}) % {2}]); }}\n",
      name, type, size, odd, first, value, loads, to, start, stride);
}

std::string MemoryWriter::statement() {
  switch (draw_.below(12)) {
    case 0:
    case 1:
      return by_some();
    case 2:
      return local_array();
    case 3: {  // by all lanes: of an atomic that no lane takes, counters count the instruction
      const std::string to = word(), at = place(), value = word();
      const char* form = draw_.of(std::array{"add_to_own", "swap_own", "swap_own_if"});
      return fmt::format("{} ^= {}(t, {}, {});\n", to, form, at, value);
    }
    case 4: {
      const int name = names_++, turns = 2 + draw_.below(5), further = 1 + draw_.below(70);
      const std::string to = word(), at = place(), also = access();
      const char* type = types[static_cast<std::size_t>(draw_.below(12))].name;
      return fmt::format(
          "#pragma unroll 1\nfor (u32 i_{0} = 0; i_{0} < {1}; ++i_{0}) {{\n{2} ^= input<{3}, "
          "Cache::{4}>(in, {5} + i_{0} * {6});\n{7}}}\n",
          name, turns, to, type, draw_.of(caches), at, further, also);
    }
    default:
      return access();
  }
}

std::string MemoryWriter::between(const char* through, int most_gap, int shifts,
                                  const std::string& type) {
  const int gap = 1 + draw_.below(most_gap);
  const std::string m = member(), to = odd_places(), from = any_places();
  const std::string shift = shifts < 0 ? "" : fmt::format("{}, ", draw_.below(gap));
  const std::string stores = lanes(), loads = lanes();
  return fmt::format("side.template {}<{}>({}, {}, {}, {}, {}{}, {});\n", through, type, m, to,
                     from, gap, shift, stores, loads);
}

std::string MemoryWriter::together() {
  const Type& type = types[static_cast<std::size_t>(draw_.below(12))];
  const std::string m = member(), other = member(), third = member();
  switch (draw_.below(12)) {
    case 0:
    case 1:
    case 2:
    case 3: {
      const int most = 4096 * 4 / (threads_ * type.bytes);
      return between("through_room", most < 33 ? most : 33, -1, type.name);
    }
    case 4:
    case 5:
    case 6:
      return between("through_memory", 64 / type.bytes, 1, type.name);
    case 7:
      return fmt::format("side.template gather_room<{}>({}, {});\n", type.name, m, other);
    case 8:
    case 9: {
      const int count = 1 + draw_.below(48), gap = 1 + draw_.below(33);
      const std::string which = sum();
      return fmt::format("side.template bins<{}>({}, {}, {}, {}, {}, {});\n", which, m, other,
                         third, count, gap, lanes());
    }
    case 10: {
      const std::string to = odd_places();
      const char* compared = draw_.one_in(2) ? "true" : "false";
      return fmt::format("side.swap_in_room({}, {}, {}, {});\n", m, to, compared, lanes());
    }
    default: {
      if (draw_.one_in(4)) return fmt::format("side.collect_wide({});\n", m);
      const std::string which = sum();
      return fmt::format("side.template collect_some<{}>({}, {}, {});\n", which, m, other, lanes());
    }
  }
}

}  // namespace klab::random_kernel
