// Texture fetches: from coordinates to texels, and from texels to what the registers get
// (programming guide, "Texture Fetching").
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"
#include "simulator/memory/textures.hpp"
#include "simulator/opcodes/access/memory_access.hpp"
#include "simulator/opcodes/float_functions.hpp"
#include "simulator/opcodes/memory/texel_shape.hpp"

namespace klab::sim {

namespace {

// Packed into Inst::op[1]. op[0]: operand list of four destinations, the handle, the layer (if
// there is one) and the coordinates.
struct FetchShape {
  u8 dimensions = 1;
  bool layered = false;
  bool by_index = false;  // integer coordinates
  u8 unused = 0;
};
static_assert(sizeof(FetchShape) == 4);

// As registers hold it: floats, or integers of 32 bits.
using Texel = std::array<u32, 4>;

// The sectors that the lanes of one fetch touch.
class Sectors {
 public:
  void add(u64 address) { seen_[count_++] = address / 32; }  // a texel never crosses one
  u64 distinct() {
    std::sort(seen_.begin(), seen_.begin() + count_);
    return static_cast<u64>(std::unique(seen_.begin(), seen_.begin() + count_) - seen_.begin());
  }

 private:
  std::array<u64, std::size_t{8} * lane_count> seen_;  // a filter weighs eight texels at most
  std::ptrdiff_t count_ = 0;
};

// One lane's fetch.
struct Fetch {
  Warp& warp;
  const Inst& inst;
  u32 lane;
  const Texture& texture;
  FetchShape shape;
  Sectors& sectors;
  u64 layer = 0;

  u64 size(u32 axis) const {
    const TexelGrid& grid = texture.grid;
    const u64 texels = axis == 0 ? grid.width : axis == 1 ? grid.height : grid.depth;
    return texels == 0 ? 1 : texels;
  }
  Texel border() const;
  AddressMode mode(u32 axis) const {
    const AddressMode asked = texture.modes[axis];
    // The others need coordinates from 0 to 1.
    const bool periodic = asked == AddressMode::wrap || asked == AddressMode::mirror;
    return periodic && !texture.normalized_coordinates ? AddressMode::clamp : asked;
  }
  std::optional<u64> resolve(double index, u32 axis) const;
  Texel texel(u64 x, u64 y, u64 z);
  Texel at(const std::array<double, 3>& index);
  Texel filtered(const std::array<double, 3>& coordinates);
  Texel sample(std::array<double, 3> coordinates);
};

// The texel that an index names; nothing where the border is read.
std::optional<u64> Fetch::resolve(double index, u32 axis) const {
  const auto texels = static_cast<double>(size(axis));
  switch (mode(axis)) {
    case AddressMode::border:
      if (index < 0 || index >= texels) return std::nullopt;
      break;
    case AddressMode::wrap:
      index -= std::floor(index / texels) * texels;
      break;
    case AddressMode::mirror:
      index -= std::floor(index / (2 * texels)) * 2 * texels;
      if (index >= texels) index = 2 * texels - 1 - index;
      break;
    case AddressMode::clamp:
      break;
  }
  return static_cast<u64>(std::clamp(index, 0.0, texels - 1));
}

// What is no number names the first texel; what is infinite lies beyond every edge.
double finite(double coordinate) {
  constexpr double beyond = std::numeric_limits<float>::max();
  return std::isnan(coordinate) ? 0 : std::clamp(coordinate, -beyond, beyond);
}

template <class T>
T clamped(double value) {
  constexpr double least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
  return std::isnan(value) ? T{} : static_cast<T>(std::clamp(value, least, most));
}

bool gives_floats(const Texture& texture) {
  return texture.grid.format.kind == TexelKind::real || texture.normalized_values;
}

u32 float_bits(double value) { return std::bit_cast<u32>(static_cast<float>(value)); }

// Bits stay what they are, whatever type the fetch asks for: nothing is converted on the way.
u32 channel_bits(const std::byte* from, const TexelFormat& format, bool normalized) {
  const u32 bits = 8 * format.channel_bytes;
  u32 raw = 0;
  std::memcpy(&raw, from, format.channel_bytes);
  if (format.kind == TexelKind::real)
    return bits == 16 ? float_bits(Half{static_cast<u16>(raw)}.value()) : raw;
  if (format.kind == TexelKind::unsigned_integer)
    return normalized ? float_bits(raw / (std::exp2(bits) - 1)) : raw;
  const i32 value = static_cast<i32>(raw << (32 - bits)) >> (32 - bits);
  return normalized ? float_bits(std::max(-1.0, value / (std::exp2(bits - 1) - 1)))
                    : static_cast<u32>(value);
}

Texel Fetch::border() const {
  Texel out{};
  const bool is_signed = texture.grid.format.kind == TexelKind::signed_integer;
  for (u32 c = 0; c < 4; ++c) {
    const float value = texture.border[c];
    out[c] = gives_floats(texture) ? std::bit_cast<u32>(value)
             : is_signed           ? static_cast<u32>(clamped<i32>(value))
                                   : clamped<u32>(value);
  }
  return out;
}

Texel Fetch::texel(u64 x, u64 y, u64 z) {
  Texel out{};
  const TexelFormat& format = texture.grid.format;
  u64 addresses[lane_count] = {};
  const u64 address = addresses[lane] = texture.grid.at(x, y, texture.grid.layers ? layer : z);
  if (warp.stop) return out;
  const std::byte* from =
      locate_global(warp, inst, lane, address, format.bytes(), AccessKind::load);
  if (from == nullptr) return out;
  sectors.add(address);
  if (warp.checker != nullptr) [[unlikely]]
    warp.checker->global_access(warp, inst, 1u << lane, addresses, format.bytes(),
                                AccessKind::read_only_load);
  for (u32 c = 0; c < format.channels; ++c)
    out[c] = channel_bits(from + c * format.channel_bytes, format, texture.normalized_values);
  return out;
}

Texel Fetch::at(const std::array<double, 3>& index) {
  u64 place[3] = {};
  for (u32 axis = 0; axis < shape.dimensions; ++axis) {
    const auto resolved = resolve(index[axis], axis);
    if (!resolved) return border();
    place[axis] = *resolved;
  }
  return texel(place[0], place[1], place[2]);
}

Texel Fetch::sample(std::array<double, 3> coordinates) {
  for (double& x : coordinates) x = finite(x);
  if (texture.is_linear_memory) {
    const double x = coordinates[0];
    return x >= 0 && x < static_cast<double>(size(0)) ? texel(static_cast<u64>(x), 0, 0) : Texel{};
  }
  if (texture.normalized_coordinates && !shape.by_index)
    for (u32 axis = 0; axis < shape.dimensions; ++axis)
      coordinates[axis] *= static_cast<double>(size(axis));
  if (texture.filters && !shape.by_index) return filtered(coordinates);
  for (double& x : coordinates) x = std::floor(x);
  return at(coordinates);
}

// Floats: who asks for a filter of integers gets no texture.
Texel Fetch::filtered(const std::array<double, 3>& coordinates) {
  std::array<double, 3> first{}, weight{};
  for (u32 axis = 0; axis < shape.dimensions; ++axis) {
    first[axis] = std::floor(coordinates[axis] - 0.5);
    // 9 bits, 8 of them behind the point.
    weight[axis] = std::nearbyint((coordinates[axis] - 0.5 - first[axis]) * 256) / 256;
  }
  std::array<double, 4> sum{};
  for (u32 corner = 0; corner < 1u << shape.dimensions; ++corner) {
    double part = 1;
    std::array<double, 3> index = first;
    for (u32 axis = 0; axis < shape.dimensions; ++axis) {
      const bool far = (corner >> axis & 1) != 0;
      part *= far ? weight[axis] : 1 - weight[axis];
      index[axis] += far ? 1 : 0;
    }
    if (part == 0) continue;
    const Texel neighbour = at(index);
    for (u32 c = 0; c < 4; ++c) sum[c] += part * double{std::bit_cast<float>(neighbour[c])};
  }
  return {float_bits(sum[0]), float_bits(sum[1]), float_bits(sum[2]), float_bits(sum[3])};
}

void fetch_lane(Warp& warp, const Inst& inst, u32 lane, const Texture& texture, Sectors& sectors) {
  const auto shape = std::bit_cast<FetchShape>(inst.op[1]);
  const auto& list = warp.launch->program->operand_lists[inst.op[0]];
  Fetch fetch{warp, inst, lane, texture, shape, sectors};
  const u32* coordinate = &list[5];
  if (shape.layered) {
    const u64 last = texture.grid.slices() - 1;
    fetch.layer = std::min<u64>(last, slot<u32>(warp, *coordinate++)[lane]);
  }
  std::array<double, 3> place{};
  for (u32 axis = 0; axis < shape.dimensions; ++axis)
    place[axis] = shape.by_index ? static_cast<double>(slot<i32>(warp, coordinate[axis])[lane])
                                 : static_cast<double>(slot<float>(warp, coordinate[axis])[lane]);
  const Texel texel = fetch.sample(place);
  for (u32 c = 0; c < 4; ++c) slot<u32>(warp, list[c])[lane] = texel[c];
}

const Texture* texture_of(Warp& warp, const Inst& inst, u64 handle) {
  const Texture* texture = warp.launch->memory->textures().find(handle);
  const auto fault = [&](std::string sentence) -> const Texture* {
    raise_fault(warp, inst, FaultCode::illegal_address, std::move(sentence));
    return nullptr;
  };
  if (texture == nullptr)
    return fault("A texture is read whose object does not exist, or not any more.");
  if (texture->is_surface) return fault("A surface object is read as a texture.");
  const auto shape = std::bit_cast<FetchShape>(inst.op[1]);
  const TexelGrid& grid = texture->grid;
  if (!has_shape(grid, shape.dimensions, shape.layered))
    return fault(fmt::format("A texture of {} x {} x {} texels{} is read by a fetch of {}{}.",
                             grid.width, grid.rows(), std::max<u64>(grid.depth, 1),
                             grid.layers != 0 ? " in layers" : "",
                             shape.dimensions == 1   ? "one dimension"
                             : shape.dimensions == 2 ? "two dimensions"
                                                     : "three dimensions",
                             shape.layered ? " and a layer" : ""));
  return texture;
}

void run_fetch(Warp& warp, const Inst& inst) {
  const auto& list = warp.launch->program->operand_lists[inst.op[0]];
  const u64* handles = slot<u64>(warp, list[4]);
  const Texture* texture = nullptr;
  Sectors sectors;
  u64 found = 0;  // the handle of `texture`, which most lanes share
  for_each_lane(warp.mask, [&](u32 lane) {
    if (warp.stop) return;
    if (texture == nullptr || handles[lane] != found)
      texture = texture_of(warp, inst, found = handles[lane]);
    if (texture != nullptr) fetch_lane(warp, inst, lane, *texture, sectors);
  });
  SiteCount& count = warp.sites[inst.site];
  ++count.requests;
  count.units += sectors.distinct();
}

bool bind_shape(Encoder& e, FetchShape& shape) {
  shape.layered = e.has("a1d") || e.has("a2d");
  if (e.has("1d") || e.has("a1d"))
    shape.dimensions = 1;
  else if (e.has("2d") || e.has("a2d"))
    shape.dimensions = 2;
  else if (e.has("3d"))
    shape.dimensions = 3;
  else
    return false;
  const ptx::Type to = e.type(1), from = e.type();
  shape.by_index = from == ptx::Type::s32;
  return (to == ptx::Type::f32 || to == ptx::Type::u32 || to == ptx::Type::s32) &&
         (shape.by_index || from == ptx::Type::f32);
}

bool select_fetch(Encoder& e) {
  FetchShape shape;
  if (e.operands() < 2 || !e.has("v4") || e.has("grad") || !bind_shape(e, shape)) return false;
  // A third operand is the level of detail: an array has one level only.
  const ptx::Operand& to = e.in.operands[0];
  const ptx::Operand& from = e.in.operands[1];
  if (e.operands() > (e.has("level") ? 3u : 2u)) return false;
  if (to.elements.size() != 4 || from.elements.size() != 1) return false;
  const auto& place = from.elements[0].elements;
  const std::size_t used = shape.dimensions + (shape.layered ? 1u : 0u);
  if (place.size() < used) return false;
  std::vector<u32> list;
  for (const ptx::Operand& element : to.elements) list.push_back(e.write(element, 4));
  ptx::Operand handle = from;
  handle.kind = ptx::Operand::Kind::name;
  handle.elements.clear();
  list.push_back(e.read(handle, 8));
  for (std::size_t i = 0; i < used; ++i) list.push_back(e.read(place[i], 4));
  e.out.op[0] = e.operand_list(std::move(list));
  e.out.op[1] = std::bit_cast<u32>(shape);
  e.note_read_only_load();
  e.use_site(Site::Kind::texture);
  e.handlers(run_fetch);
  return true;
}

constexpr std::array<Opcode, 1> table{{
    {"tex", select_fetch,
     ".1d .2d .3d .a1d .a2d, .v4 of .f32 .s32 .u32, by .f32 or .s32; .base .level 0"},
}};

}  // namespace

std::span<const Opcode> texture_opcodes() { return table; }

}  // namespace klab::sim
