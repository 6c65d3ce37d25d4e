// The tables of texture objects and arrays.
#include "simulator/memory/textures.hpp"

#include <mutex>

namespace klab::sim {

std::uint64_t Textures::add(const Texture& texture) {
  const std::unique_lock lock(mutex_);
  textures_.emplace(next_, texture);
  return next_++;
}

bool Textures::remove(std::uint64_t handle) {
  const std::unique_lock lock(mutex_);
  return textures_.erase(handle) != 0;
}

const Texture* Textures::find(std::uint64_t handle) const {
  const std::shared_lock lock(mutex_);
  const auto found = textures_.find(handle);
  return found == textures_.end() ? nullptr : &found->second;
}

std::uint64_t Textures::add_array(const TexelGrid& grid) {
  const std::unique_lock lock(mutex_);
  arrays_.emplace(next_, grid);
  return next_++;
}

bool Textures::remove_array(std::uint64_t handle) {
  const std::unique_lock lock(mutex_);
  return arrays_.erase(handle) != 0;
}

const TexelGrid* Textures::find_array(std::uint64_t handle) const {
  const std::shared_lock lock(mutex_);
  const auto found = arrays_.find(handle);
  return found == arrays_.end() ? nullptr : &found->second;
}

std::size_t Textures::objects() const {
  const std::shared_lock lock(mutex_);
  return textures_.size();
}

void Textures::clear() {
  const std::unique_lock lock(mutex_);
  textures_.clear();
  arrays_.clear();
}

}  // namespace klab::sim
