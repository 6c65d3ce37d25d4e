// Blocks run one at a time; pages and poison tell what each did.
#include "runner/simulated/reach.hpp"

#include <algorithm>
#include <cmath>

#include "runner/device/cuda_check.hpp"
#include "runner/simulated/simulator_link.hpp"
#include "runner/workload/random.cuh"

namespace klab::runner {
namespace {

using Pages = std::vector<unsigned long long>;

constexpr std::uint64_t at_either_end = 2;
constexpr std::uint64_t index_begins_anew = std::uint64_t{1} << 32;
/// That all blocks which are drawn stay in front by chance, though the kernel is right.
constexpr double unlikely = 1e-6;
/// More than this, and looking takes too long.
constexpr std::size_t most_pages = 4096;
/// No result of inputs that are zero, as far as labs go.
constexpr unsigned char poison = 0xA5;

std::vector<std::uint64_t> chosen_blocks(std::uint64_t blocks, std::uint64_t seed) {
  std::vector<std::uint64_t> chosen;
  for (std::uint64_t i = 0; i < at_either_end; ++i) {
    chosen.push_back(i);
    chosen.push_back(blocks - 1 - i);
  }
  while (chosen.size() < blocks_apart) chosen.push_back(hash(seed, chosen.size()) % blocks);
  return chosen;
}

/// Of those chosen, whether the one at this place was drawn at random.
bool is_drawn(std::size_t place) { return place >= 2 * at_either_end; }

Pages pages_of(const Stretch& stretch) {
  return touched_pages(stretch.begin, stretch.count * stretch.element_bytes, most_pages);
}

/// What blocks touch of one buffer.
class Front {
 public:
  explicit Front(const Stretch& stretch) : stretch_(stretch), pages_(pages_of(stretch)) {}

  void look(bool drawn) {
    Pages now = pages_of(stretch_);
    if (drawn && now.size() > pages_.size()) ++active_;
    pages_ = std::move(now);
  }
  /// Whether no block came beyond 2^32 elements, and that is no chance.
  bool ends_too_soon() const {
    if (stretch_.count <= index_begins_anew || pages_.size() >= most_pages) return false;
    const double in_front =
        static_cast<double>(index_begins_anew) / static_cast<double>(stretch_.count);
    if (std::pow(in_front, active_) > unlikely) return false;
    const std::uint64_t limit = index_begins_anew * stretch_.element_bytes;
    const std::uint64_t end = stretch_.count * stretch_.element_bytes - stretch_.marked_bytes;
    return std::none_of(pages_.begin(), pages_.end(), [=](std::uint64_t page) {
      const std::uint64_t at = page * simulated_page_bytes;
      return at >= limit && at + simulated_page_bytes <= end;
    });
  }
  const Pages& pages() const { return pages_; }

 private:
  const Stretch& stretch_;
  Pages pages_;
  int active_ = 0;  ///< blocks drawn at random that touched pages of their own
};

/// Neighbouring pages of an output, as bytes.
struct Piece {
  std::byte* begin;
  std::size_t bytes;
};

std::vector<Piece> pieces_of(const Stretch& stretch, const Pages& pages) {
  std::vector<Piece> pieces;
  const std::size_t all = stretch.count * stretch.element_bytes;
  for (const std::uint64_t page : pages) {
    const std::size_t at = page * simulated_page_bytes;
    std::byte* const begin = stretch.begin + at;
    const std::size_t bytes = std::min(simulated_page_bytes, all - at);
    if (!pieces.empty() && pieces.back().begin + pieces.back().bytes == begin)
      pieces.back().bytes += bytes;
    else
      pieces.push_back({begin, bytes});
  }
  return pieces;
}

/// How many elements of these pieces a block writes.
std::uint64_t written(const Stretch& stretch, const std::vector<Piece>& pieces) {
  std::uint64_t elements = 0;
  std::vector<std::byte> now;
  for (const Piece& piece : pieces) {
    now.resize(piece.bytes);
    check_cuda(cudaMemcpy(now.data(), piece.begin, piece.bytes, cudaMemcpyDefault));
    std::uint64_t here = 0;
    for (std::size_t at = 0; at + stretch.element_bytes <= piece.bytes; at += stretch.element_bytes)
      here += std::any_of(now.begin() + static_cast<std::ptrdiff_t>(at),
                          now.begin() + static_cast<std::ptrdiff_t>(at + stretch.element_bytes),
                          [](std::byte b) { return b != std::byte{poison}; });
    if (here > 0) check_cuda(cudaMemset(piece.begin, poison, piece.bytes));
    elements += here;
  }
  return elements;
}

}  // namespace

std::optional<Unreached> unreached(const std::vector<Stretch>& stretches, std::uint64_t blocks,
                                   std::uint64_t seed, const RunBlock& run_block) {
  if (blocks < 2 * blocks_apart) return std::nullopt;
  const std::vector<std::uint64_t> chosen = chosen_blocks(blocks, seed);
  std::vector<Front> fronts(stretches.begin(), stretches.end());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (!run_block(chosen[i])) return std::nullopt;
    for (Front& front : fronts) front.look(is_drawn(i));
  }
  for (std::size_t i = 0; i < stretches.size(); ++i)
    if (fronts[i].ends_too_soon())
      return Unreached{i, static_cast<std::int64_t>(index_begins_anew)};

  std::vector<std::vector<Piece>> pieces(stretches.size());
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    if (!stretches[i].is_output || fronts[i].pages().size() >= most_pages) continue;
    pieces[i] = pieces_of(stretches[i], fronts[i].pages());
    for (const Piece& piece : pieces[i]) check_cuda(cudaMemset(piece.begin, poison, piece.bytes));
  }
  std::vector<std::uint64_t> at_ends(stretches.size()), most_between(stretches.size());
  for (std::size_t seen = 0; seen < blocks_seen_again; ++seen) {
    if (!run_block(chosen[seen])) return std::nullopt;
    for (std::size_t i = 0; i < stretches.size(); ++i) {
      const std::uint64_t elements = written(stretches[i], pieces[i]);
      if (is_drawn(seen))
        most_between[i] = std::max(most_between[i], elements);
      else
        at_ends[i] += elements;
    }
  }
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const std::uint64_t all = at_ends[i] + most_between[i] * (blocks - 2 * at_either_end);
    if (most_between[i] > 0 && all + stretches[i].may_stay < stretches[i].count)
      return Unreached{i, static_cast<std::int64_t>(all), Unreached::Why::too_few_blocks};
  }
  return std::nullopt;
}

}  // namespace klab::runner
