// Video instructions: arithmetic on words, halves and bytes that are chosen by place. The PTX ISA
// 9.0 says what they do ("Scalar Video Instructions", "SIMD Video Instructions"); CUDA C++ makes
// them of inline assembly. Machine code for sm_90 emulates them, and an H100 gave other bits than
// that text where an unsigned result would be below zero, a shift saturates, a product is scaled,
// vset has a second operation or something is merged into .h1.
#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "simulator/opcodes/lanes.hpp"

namespace klab::sim {

namespace {

// Wide enough for a word shifted by 32 and for a product with what is added to it.
__extension__ using Value = __int128;

enum class Act : u8 { add, sub, absdiff, min, max, average, shl, shr, eq, ne, lt, le, gt, ge };
enum class Second : u8 { none, add, min, max };

// What an instruction says beside its registers; fits Inst::imm.
struct Form {
  u16 a = 0, b = 0;  // parts of the sources: one of a word's, or a nibble for each element
  Act act = Act::add;
  Second second = Second::none;
  u8 target = 0;  // the part that is merged into c, or a bit for each element; of vmad the scale
  bool d_signed : 1 = false, a_signed : 1 = false, b_signed : 1 = false, saturates : 1 = false;
  bool wraps : 1 = false;
  bool negates_product : 1 = false, negates_third : 1 = false, adds_one : 1 = false;  // vmad
};
static_assert(sizeof(Form) == sizeof(u64));

// Parts of a word, as selectors name them: `.b0` to `.b3`, `.h0`, `.h1`.
struct Part {
  u32 shift = 0, bits = 32;
};
constexpr std::array<std::pair<std::string_view, Part>, 7> word_parts{{
    {"", {0, 32}},
    {"b0", {0, 8}},
    {"b1", {8, 8}},
    {"b2", {16, 8}},
    {"b3", {24, 8}},
    {"h0", {0, 16}},
    {"h1", {16, 16}},
}};

constexpr u32 mask_of(u32 bits) { return ~0u >> (32 - bits); }

Value extract(u64 from, Part part, bool is_signed) {
  const u32 value = static_cast<u32>(from >> part.shift) & mask_of(part.bits);
  const u32 unused = 32 - part.bits;
  return is_signed ? Value{static_cast<i32>(value << unused) >> unused} : Value{value};
}

u32 insert(u32 into, Part part, Value value) {
  const u32 mask = mask_of(part.bits) << part.shift;
  return (into & ~mask) | (static_cast<u32>(value) << part.shift & mask);
}

Value clamp(Value value, u32 bits, bool is_signed) {
  const Value one = 1, most = is_signed ? (one << (bits - 1)) - 1 : (one << bits) - 1;
  return std::clamp(value, is_signed ? -most - 1 : Value{0}, most);
}

Value act(const Form& form, Value a, Value b) {
  const auto distance = [&] {
    return static_cast<u32>(form.wraps ? b & 31 : std::min<Value>(b, 32));
  };
  switch (form.act) {
    case Act::add:
      return a + b;
    case Act::sub:
      return a - b;
    case Act::absdiff:
      return a < b ? b - a : a - b;
    case Act::min:
      return std::min(a, b);
    case Act::max:
      return std::max(a, b);
    case Act::average:  // rounded away from zero where it lies between two
      return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
    case Act::shl:
      return a << distance();
    case Act::shr:
      return a >> distance();
    case Act::eq:
      return a == b;
    case Act::ne:
      return a != b;
    case Act::lt:
      return a < b;
    case Act::le:
      return a <= b;
    case Act::gt:
      return a > b;
    case Act::ge:
      return a >= b;
  }
  return 0;
}

struct Scalar {
  u32 operator()(const Form& form, u32 a, u32 b, u32 c) const {
    const Part target = word_parts[form.target].second;
    const Value x = extract(a, word_parts[form.a].second, form.a_signed);
    const Value y = extract(b, word_parts[form.b].second, form.b_signed);
    Value value = act(form, x, y);
    if (form.saturates) value = clamp(value, target.bits, form.d_signed);
    if (form.second != Second::none) value = extract(static_cast<u32>(value), {}, form.d_signed);
    const Value third = extract(c, {}, form.d_signed);
    if (form.second == Second::add) value += third;
    if (form.second == Second::min) value = std::min(value, third);
    if (form.second == Second::max) value = std::max(value, third);
    return insert(c, target, value);
  }
};

// Of two halves or four bytes, each taken from anywhere in the two sources.
template <u32 Count>
struct Elements {
  u32 operator()(const Form& form, u32 a, u32 b, u32 c) const {
    constexpr u32 bits = 32 / Count;
    const u64 both = u64{b} << 32 | a;
    const auto source = [&](u32 places, u32 i) {
      return Part{(places >> (4 * i) & 7) * bits, bits};
    };
    u32 out = c;
    for (u32 i = 0; i < Count; ++i) {
      if ((form.target >> i & 1) == 0) continue;
      Value value = act(form, extract(both, source(form.a, i), form.a_signed),
                        extract(both, source(form.b, i), form.b_signed));
      if (form.saturates) value = clamp(value, bits, form.d_signed);
      out = form.second == Second::add ? out + static_cast<u32>(value)
                                       : insert(out, {i * bits, bits}, value);
    }
    return out;
  }
};

struct MultiplyAdd {
  u32 operator()(const Form& form, u32 a, u32 b, u32 c) const {
    const bool is_signed =
        form.a_signed || form.b_signed || form.negates_product || form.negates_third;
    const Value product = extract(a, word_parts[form.a].second, form.a_signed) *
                          extract(b, word_parts[form.b].second, form.b_signed);
    const Value third = extract(c, {}, is_signed);
    Value value = form.negates_product ? -product : product;
    value += form.negates_third ? -third : third;
    value = (value + (form.adds_one ? 1 : 0)) >> form.target;
    return static_cast<u32>(form.saturates ? clamp(value, 32, is_signed) : value);
  }
};

template <class F, bool Masked>
void run(Warp& warp, const Inst& inst) {
  const auto form = std::bit_cast<Form>(inst.imm);
  const u32 *a = slot<u32>(warp, inst.op[1]), *b = slot<u32>(warp, inst.op[2]),
            *c = slot<u32>(warp, inst.op[3]);
  u32* out = slot<u32>(warp, inst.op[0]);
  for_each_lane(Masked ? warp.mask : all_lanes,
                [&](u32 lane) { out[lane] = F()(form, a[lane], b[lane], c[lane]); });
}

// Which part of a word a selector names; none for one that names no single part.
std::optional<u8> word_part(std::string_view selector) {
  for (u8 i = 0; i < word_parts.size(); ++i)
    if (word_parts[i].first == selector) return i;
  return std::nullopt;
}

// The places that a selector such as `.b3210` names, the last one for the lowest element.
std::optional<u16> element_places(std::string_view selector, u32 count, u16 otherwise) {
  if (selector.empty()) return otherwise;
  if (selector.size() != count + 1 || selector[0] != (count == 4 ? 'b' : 'h')) return std::nullopt;
  u16 places = 0;
  for (const char digit : selector.substr(1))
    places = static_cast<u16>(places << 4 | static_cast<u16>(digit - '0'));
  return places;
}

// The elements that a mask such as `.b20` names, a bit each.
std::optional<u8> element_mask(std::string_view selector, u32 count) {
  if (selector.empty()) return static_cast<u8>((1u << count) - 1);
  u8 mask = 0;
  for (const char digit : selector.substr(1)) mask |= static_cast<u8>(1u << (digit - '0'));
  return mask;
}

// Types and modes; `act` is what the opcode does, or the comparison that it names.
Form form_of(const Encoder& e, std::optional<Act> act) {
  constexpr std::array<std::pair<std::string_view, Act>, 6> comparisons{{{"eq", Act::eq},
                                                                         {"ne", Act::ne},
                                                                         {"lt", Act::lt},
                                                                         {"le", Act::le},
                                                                         {"gt", Act::gt},
                                                                         {"ge", Act::ge}}};
  Form form;
  const std::size_t sources = act ? 2 : 1;  // a comparison has no type of its own
  const auto is_signed = [&](std::size_t part) {
    return part < e.in.parts.size() && e.in.parts[part] == "s32";
  };
  form.d_signed = act && is_signed(1);
  form.a_signed = is_signed(sources);
  form.b_signed = is_signed(sources + 1);
  form.saturates = e.has("sat");
  form.wraps = e.has("wrap");
  form.act = act.value_or(Act::eq);
  for (const auto& [name, comparison] : comparisons)
    if (!act && e.has(name)) form.act = comparison;
  // Behind the types, where `vmin.u32.u32.u32.min` has it.
  const std::string_view last = e.in.parts.back();
  form.second = last == "add"   ? Second::add
                : last == "min" ? Second::min
                : last == "max" ? Second::max
                                : Second::none;
  return form;
}

template <class F>
bool bind(Encoder& e, const Form& form) {
  e.handlers(run<F, false>, run<F, true>);
  e.out.op[0] = e.write(0, 4);
  for (std::size_t i = 1; i < 4; ++i)
    e.out.op[i] = i < e.operands() ? e.read(i, 4) : e.constant(0, 4);
  e.out.imm = std::bit_cast<i64>(form);
  return true;
}

bool bind_scalar(Encoder& e, std::optional<Act> act) {
  if (e.operands() < 3) return false;
  Form form = form_of(e, act);
  const auto d = word_part(e.in.operands[0].part), a = word_part(e.in.operands[1].part),
             b = word_part(e.in.operands[2].part);
  if (!d || !a || !b) return false;
  form.target = *d, form.a = *a, form.b = *b;
  return bind<Scalar>(e, form);
}
template <Act Does>
bool scalar(Encoder& e) {
  return bind_scalar(e, Does);
}
bool scalar_comparison(Encoder& e) { return bind_scalar(e, std::nullopt); }

template <u32 Count>
bool bind_elements(Encoder& e, std::optional<Act> act) {
  if (e.operands() != 4) return false;
  Form form = form_of(e, act);
  const auto mask = element_mask(e.in.operands[0].part, Count);
  const auto a = element_places(e.in.operands[1].part, Count, Count == 4 ? 0x3210 : 0x10);
  const auto b = element_places(e.in.operands[2].part, Count, Count == 4 ? 0x7654 : 0x32);
  if (!mask || !a || !b) return false;
  form.target = *mask, form.a = *a, form.b = *b;
  return bind<Elements<Count>>(e, form);
}
template <u32 Count, Act Does>
bool elements(Encoder& e) {
  return bind_elements<Count>(e, Does);
}
template <u32 Count>
bool element_comparison(Encoder& e) {
  return bind_elements<Count>(e, std::nullopt);
}

bool select_vmad(Encoder& e) {
  if (e.operands() != 4) return false;
  Form form = form_of(e, Act::add);
  const auto a = word_part(e.in.operands[1].part), b = word_part(e.in.operands[2].part);
  if (!a || !b) return false;
  form.a = *a, form.b = *b;
  form.target = e.has("shr7") ? 7 : e.has("shr15") ? 15 : 0;
  form.negates_product = e.in.operands[1].negated != e.in.operands[2].negated;
  form.negates_third = e.in.operands[3].negated;
  form.adds_one = e.has("po");
  return bind<MultiplyAdd>(e, form);
}

constexpr std::string_view scalar_forms = ".u32 .s32, parts of words, .sat, .add .min .max, merged";
constexpr std::string_view element_forms = ".u32 .s32, any parts, .sat .add, under a mask";
constexpr std::array<Opcode, 23> table{{
    {"vadd", scalar<Act::add>, scalar_forms},
    {"vsub", scalar<Act::sub>, scalar_forms},
    {"vabsdiff", scalar<Act::absdiff>, scalar_forms},
    {"vmin", scalar<Act::min>, scalar_forms},
    {"vmax", scalar<Act::max>, scalar_forms},
    {"vshl", scalar<Act::shl>, ".clamp .wrap; as vadd"},
    {"vshr", scalar<Act::shr>, ".clamp .wrap; as vadd"},
    {"vset", scalar_comparison, "all comparisons; as vadd"},
    {"vmad", select_vmad, ".u32 .s32, parts of words, .sat .po .shr7 .shr15, negated operands"},
    {"vadd2", elements<2, Act::add>, element_forms},
    {"vsub2", elements<2, Act::sub>, element_forms},
    {"vavrg2", elements<2, Act::average>, element_forms},
    {"vabsdiff2", elements<2, Act::absdiff>, element_forms},
    {"vmin2", elements<2, Act::min>, element_forms},
    {"vmax2", elements<2, Act::max>, element_forms},
    {"vset2", element_comparison<2>, "all comparisons; as vadd2"},
    {"vadd4", elements<4, Act::add>, element_forms},
    {"vsub4", elements<4, Act::sub>, element_forms},
    {"vavrg4", elements<4, Act::average>, element_forms},
    {"vabsdiff4", elements<4, Act::absdiff>, element_forms},
    {"vmin4", elements<4, Act::min>, element_forms},
    {"vmax4", elements<4, Act::max>, element_forms},
    {"vset4", element_comparison<4>, "all comparisons; as vadd4"},
}};

}  // namespace

std::span<const Opcode> video_opcodes() { return table; }

}  // namespace klab::sim
