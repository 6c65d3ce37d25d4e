// What texture objects and arrays stand for: texels in device memory, and how they are read.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <shared_mutex>

namespace klab::sim {

enum class TexelKind : std::uint8_t { unsigned_integer, signed_integer, real };

struct TexelFormat {
  TexelKind kind = TexelKind::real;
  std::uint32_t channels = 0;       // 1, 2 or 4
  std::uint32_t channel_bytes = 0;  // 1, 2 or 4
  std::uint32_t bytes() const { return channels * channel_bytes; }
};

// Texels in rows, slices or layers. An array's real order in memory is nobody's to see.
struct TexelGrid {
  std::uint64_t address = 0;
  std::uint64_t width = 0, height = 0, depth = 0;  // 0 where it has no such dimension
  std::uint64_t layers = 0;                        // 0: not layered
  std::uint64_t pitch_bytes = 0;
  TexelFormat format;
  std::uint32_t flags = 0;  // of cudaMallocArray

  std::uint64_t rows() const { return height == 0 ? 1 : height; }
  std::uint64_t slices() const { return layers != 0 ? layers : depth == 0 ? 1 : depth; }
  std::uint64_t bytes() const { return pitch_bytes * rows() * slices(); }
  std::uint64_t at(std::uint64_t x, std::uint64_t y, std::uint64_t z) const {
    return address + (z * rows() + y) * pitch_bytes + x * format.bytes();
  }
};

enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };

struct Texture {
  TexelGrid grid;
  bool is_surface = false;        // a surface object: an array that is written, too
  bool is_linear_memory = false;  // read by index alone; zero beyond its end
  std::array<AddressMode, 3> modes{};
  bool filters = false;                 // weighs the neighbours of a point
  bool normalized_values = false;       // integers as parts of their largest
  bool normalized_coordinates = false;  // from 0 to 1
  std::array<float, 4> border{};
};

// Handles are never used twice. Kernels ask while the host waits; launches may run beside a host
// that makes others.
class Textures {
 public:
  std::uint64_t add(const Texture& texture);
  bool remove(std::uint64_t handle);
  // Null when there is no such texture object; valid until it is removed.
  const Texture* find(std::uint64_t handle) const;

  std::uint64_t add_array(const TexelGrid& grid);
  bool remove_array(std::uint64_t handle);
  const TexelGrid* find_array(std::uint64_t handle) const;
  void clear();
  // Texture and surface objects that are not destroyed.
  std::size_t objects() const;

 private:
  mutable std::shared_mutex mutex_;
  std::uint64_t next_ = 1;
  std::map<std::uint64_t, Texture> textures_;
  std::map<std::uint64_t, TexelGrid> arrays_;
};

}  // namespace klab::sim
