// Which of the sizes of a request more is tried at.
#pragma once

#include <cstddef>
#include <vector>

#include "runner/phases/phase_setup.hpp"
#include "runner/problem/affordable.hpp"

namespace klab::runner {

/// What is wrong at one size is looked for at others of up to so many elements alone: which of them
/// are wrong tells more, and sooner, than large ones do.
inline constexpr std::size_t small_elements = 1u << 12;

/// All of the request: those first whose buffers lie on a page or two, for which memory that was
/// given back is taken again, then the others. Devices of other phases wake meanwhile, and while
/// they do the driver takes its time to map more. What is wrong at a small size is told sooner,
/// too.
std::vector<Size> small_ones_first(const PhaseSetup& setup);

/// The smallest first, each once.
std::vector<Size> small_sizes(const PhaseSetup& setup);

/// Of these, those whose launches are short as well: few elements may take many launches.
std::vector<Size> small_and_short(const PhaseSetup& setup, const Affordable& affordable);

/// The larger ones of the small and short sizes, up to the largest and down again.
std::vector<Size> up_and_down(const PhaseSetup& setup, const Affordable& affordable);

/// The largest of the sizes that are filled on the host and whose launches and reference take
/// little time: of those up to a million elements, and of all. None if they are small.
std::vector<Size> large_and_quick(const PhaseSetup& setup);

}  // namespace klab::runner
