// By their elements and operations.
#include "runner/verify/chosen_sizes.hpp"

#include <algorithm>
#include <utility>

#include "runner/phases/platform.hpp"
#include "runner/problem/where_to_check.hpp"

namespace klab::runner {

std::vector<Size> small_ones_first(const PhaseSetup& setup) {
  constexpr std::size_t few_pages = std::size_t{1} << 18;
  std::vector<Size> sizes = setup.request.sizes;
  std::stable_partition(sizes.begin(), sizes.end(), [&](const Size& size) {
    return elements_of(*setup.workload, size) <= few_pages;
  });
  return sizes;
}

std::vector<Size> small_sizes(const PhaseSetup& setup) {
  const auto elements = [&](const Size& size) { return elements_of(*setup.workload, size); };
  std::vector<Size> sizes;
  for (const Size& size : setup.request.sizes)
    if (elements(size) <= small_elements) sizes.push_back(size);
  std::stable_sort(sizes.begin(), sizes.end(), [&](const Size& a, const Size& b) {
    return std::pair(elements(a), a) < std::pair(elements(b), b);
  });
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

std::vector<Size> small_and_short(const PhaseSetup& setup, const Affordable& affordable) {
  constexpr double short_launch = 0.01;  // of what one may execute
  std::vector<Size> sizes = small_sizes(setup);
  std::erase_if(sizes, [&](const Size& size) {
    return std::any_of(setup.plugins.begin(), setup.plugins.end(), [&](const Plugin& plugin) {
      return !affordable.took_no_more(plugin.variant(), size, short_launch);
    });
  });
  return sizes;
}

std::vector<Size> up_and_down(const PhaseSetup& setup, const Affordable& affordable) {
  constexpr std::size_t enough = 8;
  std::vector<Size> sizes = small_and_short(setup, affordable);
  sizes.erase(sizes.begin(),
              sizes.end() - static_cast<std::ptrdiff_t>(std::min(sizes.size(), enough)));
  const std::vector<Size> down(sizes.rbegin(), sizes.rend());
  sizes.insert(sizes.end(), down.begin(), down.end());
  return sizes;
}

std::vector<Size> large_and_quick(const PhaseSetup& setup) {
  constexpr double most_operations = 1e8;
  std::vector<Size> candidates = setup.request.sizes;
  candidates.insert(candidates.end(), setup.request.beyond.begin(), setup.request.beyond.end());
  const auto largest_up_to = [&](std::size_t most_elements) {
    std::size_t most = small_elements;
    Size largest;
    for (const Size& size : candidates) {
      const std::size_t elements = elements_of(*setup.workload, size);
      if (elements <= most || elements > most_elements ||
          operations_of(*setup.workload, size) > most_operations)
        continue;
      most = elements;
      largest = size;
    }
    return largest;
  };
  std::vector<Size> sizes;
  for (const std::size_t most_elements : {std::size_t{1} << 20, std::size_t{1} << 26})
    if (Size size = largest_up_to(most_elements);
        !size.empty() && (sizes.empty() || sizes.back() != size))
      sizes.push_back(std::move(size));
  return sizes;
}

}  // namespace klab::runner
