// find_in(): the value behind a key, where there is one.
#pragma once

namespace klab {

/// Null if the map has no such key.
template <class Map>
const typename Map::mapped_type* find_in(const Map& map, const typename Map::key_type& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

}  // namespace klab
