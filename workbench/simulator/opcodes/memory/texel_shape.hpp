// Whether a fetch, or a surface's load or store, goes by what its texels have.
#pragma once
#include "simulator/memory/textures.hpp"

namespace klab::sim {

// Rows are used as rows, and layers as layers. A height or depth of one is as good as none.
inline bool has_shape(const TexelGrid& grid, unsigned dimensions, bool layered) {
  const unsigned least = grid.depth > 1 ? 3 : grid.height > 1 ? 2 : 1;
  return (grid.layers != 0) == layered && least <= dimensions;
}

}  // namespace klab::sim
