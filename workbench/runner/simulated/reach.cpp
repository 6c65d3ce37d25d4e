// Blocks run one at a time; pages and poison tell what each did.
#include "runner/simulated/reach.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <numeric>

#include "runner/device/cuda_check.hpp"
#include "runner/simulated/simulator_link.hpp"
#include "runner/workload/random.cuh"

namespace klab::runner {
namespace {

using Pages = std::vector<unsigned long long>;

constexpr std::uint64_t at_either_end = 2;
constexpr std::uint64_t index_begins_anew = std::uint64_t{1} << 32;
/// As far as what lies in front of the first element, such as a header, may shift that.
constexpr std::uint64_t shifted_at_most = 1u << 20;
/// Where each element has a warp, numbers of threads begin anew from here on.
constexpr std::uint64_t elements_of_warps = index_begins_anew / 32;
/// Few blocks that stay close together tell nothing, however close.
constexpr double least_share = 0.25;
/// That all blocks which are drawn stay in front by chance, though the kernel is right.
constexpr double unlikely = 1e-6;
/// More than this, and looking takes too long.
constexpr std::size_t most_pages = 4096;
/// No result of inputs that are zero, as far as labs go.
constexpr unsigned char poison = 0xA5;

std::vector<std::uint64_t> chosen_blocks(std::uint64_t blocks, std::uint64_t seed) {
  std::vector<std::uint64_t> chosen;
  for (std::uint64_t i = 0; i < at_either_end; ++i) chosen.push_back(i);
  for (std::uint64_t i = 0; i < at_either_end; ++i) chosen.push_back(blocks - 1 - i);
  while (chosen.size() < blocks_apart) chosen.push_back(hash(seed, chosen.size()) % blocks);
  return chosen;
}

/// The places of blocks 0 and 1 among those chosen.
constexpr std::size_t first_block = 0, second_block = 1;

/// Of those chosen, whether the one at this place was drawn at random.
bool is_drawn(std::size_t place) { return place >= 2 * at_either_end; }

Pages pages_of(const Stretch& stretch) {
  return touched_pages(stretch.begin, stretch.count * stretch.element_bytes, most_pages);
}

std::uint64_t round_up(std::uint64_t bytes) {
  return (bytes + simulated_page_bytes - 1) / simulated_page_bytes * simulated_page_bytes;
}

/// What blocks touch of one buffer.
class Front {
 public:
  explicit Front(const Stretch& stretch) : stretch_(stretch), pages_(pages_of(stretch)) {}

  /// After a block that reached for global memory so many times. Pages beyond those that are listed
  /// are those of blocks that stride through all of the memory: each that works has some there.
  void look(bool drawn, std::uint64_t accesses) {
    const bool listed = pages_.size() < most_pages;
    Pages now = listed ? pages_of(stretch_) : pages_;
    if (drawn && (listed ? now.size() > pages_.size() : accesses > 0)) {
      ++active_;
      note_farthest(now);
    }
    pages_ = std::move(now);
  }
  /// Whether no block came beyond 2^32 elements, and that is no chance.
  bool ends_too_soon() const {
    if (!reaches_beyond()) return false;
    const double in_front =
        static_cast<double>(index_begins_anew) / static_cast<double>(stretch_.count);
    return std::pow(in_front, active_) <= unlikely && stays_below();
  }
  /// The element behind all that the blocks drawn at random came to, where that is no chance. Of
  /// what has to be read or written as a whole.
  std::optional<std::uint64_t> ends_early() const {
    if (!has_to_be_used() || active_ == 0) return std::nullopt;
    const double in_front = static_cast<double>(farthest_) / static_cast<double>(stretch_.count);
    return std::pow(std::max(in_front, least_share), active_) <= unlikely ? std::optional(farthest_)
                                                                          : std::nullopt;
  }
  /// Whether blocks that follow can't change what is known.
  bool is_settled() const {
    const bool counts = stretch_.is_output && pages_.size() < most_pages;
    return !counts && !(reaches_beyond() && stays_below()) &&
           !(has_to_be_used() && farthest_ < stretch_.count / 2);
  }
  const Pages& pages() const { return pages_; }

 private:
  bool has_to_be_used() const {
    return (stretch_.is_input || stretch_.is_output) && stretch_.may_stay == 0 &&
           stretch_.count > elements_of_warps;
  }
  /// Of a block's pages, those that none before it touched. Blocks that stride through all of the
  /// memory, whose pages are too many to list, come to its end sometime.
  void note_farthest(const Pages& now) {
    if (now.size() >= most_pages) {
      farthest_ = stretch_.count;
      return;
    }
    Pages own;
    std::set_difference(now.begin(), now.end(), pages_.begin(), pages_.end(),
                        std::back_inserter(own));
    if (own.empty()) return;
    const std::uint64_t end = (own.back() + 1) * simulated_page_bytes / stretch_.element_bytes;
    farthest_ = std::max(farthest_, std::min(end, stretch_.count));
  }
  bool reaches_beyond() const { return stretch_.count > index_begins_anew + shifted_at_most; }
  /// Whether nothing beyond 2^32 elements was touched, though there are some.
  bool stays_below() const {
    const std::uint64_t begin =
        round_up((index_begins_anew + shifted_at_most) * stretch_.element_bytes);
    const std::uint64_t end = stretch_.count * stretch_.element_bytes - stretch_.marked_bytes;
    const std::uint64_t whole = end / simulated_page_bytes * simulated_page_bytes;
    return begin < whole && touched_pages(stretch_.begin + begin, whole - begin, 1).empty();
  }

  const Stretch& stretch_;
  Pages pages_;
  int active_ = 0;              ///< blocks drawn at random that touched pages of their own
  std::uint64_t farthest_ = 0;  ///< elements up to the last that these came to
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
  const std::vector<std::byte> untouched(stretch.element_bytes, std::byte{poison});
  for (const Piece& piece : pieces) {
    now.resize(piece.bytes);
    check_cuda(cudaMemcpy(now.data(), piece.begin, piece.bytes, cudaMemcpyDefault));
    std::uint64_t here = 0;
    for (std::size_t at = 0; at + stretch.element_bytes <= piece.bytes; at += stretch.element_bytes)
      here += std::memcmp(now.data() + at, untouched.data(), untouched.size()) != 0;
    if (here > 0) check_cuda(cudaMemset(piece.begin, poison, piece.bytes));
    elements += here;
  }
  return elements;
}

/// Elements of an output by the blocks that were seen again.
class Written {
 public:
  explicit Written(bool in_rows) : in_rows_(in_rows) {}
  void add(std::size_t place, std::uint64_t elements) {
    if (is_drawn(place))
      most_drawn_ = std::max(most_drawn_, elements);
    else
      at_ends_.push_back(elements);
  }
  std::uint64_t at_ends() const { return std::accumulate(at_ends_.begin(), at_ends_.end(), 0ull); }
  /// The most that one between the ends may have written. Where both of the first two write more,
  /// others behind them take part in the last round of a loop over the grid, too; what one of them
  /// alone writes, such as the rest that fills no vector, is a task of its own. In a grid of
  /// several rows each row may have a first block like that.
  std::uint64_t most_between() const {
    if (most_drawn_ == 0) return 0;
    const auto [least, most] = std::minmax(at_ends_[first_block], at_ends_[second_block]);
    return std::max(most_drawn_, in_rows_ ? most : least);
  }

 private:
  const bool in_rows_;
  std::vector<std::uint64_t> at_ends_;
  std::uint64_t most_drawn_ = 0;
};

bool are_settled(const std::vector<Front>& fronts) {
  return std::all_of(fronts.begin(), fronts.end(), [](const Front& f) { return f.is_settled(); });
}

/// Runs these blocks, as many as tell something; false where one could not be run.
bool look_at(const std::vector<std::uint64_t>& chosen, std::vector<Front>& fronts,
             const RunBlock& run_block) {
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const auto accesses = run_block(chosen[i]);
    if (!accesses) return false;
    for (Front& front : fronts) front.look(is_drawn(i), *accesses);
    if (are_settled(fronts)) break;
  }
  return true;
}

std::optional<Unreached> too_soon(const std::vector<Front>& fronts) {
  for (std::size_t i = 0; i < fronts.size(); ++i)
    if (fronts[i].ends_too_soon())
      return Unreached{i, static_cast<std::int64_t>(index_begins_anew)};
  return std::nullopt;
}

std::optional<Unreached> early_end(const std::vector<Front>& fronts) {
  for (std::size_t i = 0; i < fronts.size(); ++i)
    if (const auto end = fronts[i].ends_early())
      return Unreached{i, static_cast<std::int64_t>(*end)};
  return std::nullopt;
}

}  // namespace

std::optional<Unreached> begins_anew(const std::vector<Stretch>& stretches, std::uint64_t blocks,
                                     std::uint64_t seed, const RunBlock& run_block) {
  if (blocks < 2 * blocks_apart) return std::nullopt;
  std::vector<Front> fronts(stretches.begin(), stretches.end());
  if (!look_at(chosen_blocks(blocks, seed), fronts, run_block)) return std::nullopt;
  return too_soon(fronts);
}

std::optional<Unreached> unreached(const std::vector<Stretch>& stretches, std::uint64_t blocks,
                                   GridUse use, std::uint64_t seed, const RunBlock& run_block) {
  if (blocks < 2 * blocks_apart) return std::nullopt;
  const std::vector<std::uint64_t> chosen = chosen_blocks(blocks, seed);
  std::vector<Front> fronts(stretches.begin(), stretches.end());
  if (!look_at(chosen, fronts, run_block)) return std::nullopt;
  if (const auto place = too_soon(fronts)) return place;
  if (use.by_number)
    if (const auto place = early_end(fronts)) return place;

  std::vector<std::vector<Piece>> pieces(stretches.size());
  bool any = false;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    if (!stretches[i].is_output || fronts[i].pages().size() >= most_pages) continue;
    any = true;
    pieces[i] = pieces_of(stretches[i], fronts[i].pages());
    for (const Piece& piece : pieces[i]) check_cuda(cudaMemset(piece.begin, poison, piece.bytes));
  }
  if (!any) return std::nullopt;
  std::vector<Written> all_written(stretches.size(), Written(use.in_rows));
  for (std::size_t seen = 0; seen < blocks_seen_again; ++seen) {
    if (!run_block(chosen[seen])) return std::nullopt;
    for (std::size_t i = 0; i < stretches.size(); ++i)
      all_written[i].add(seen, written(stretches[i], pieces[i]));
  }
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const std::uint64_t between = all_written[i].most_between();
    const std::uint64_t all = all_written[i].at_ends() + between * (blocks - 2 * at_either_end);
    if (between > 0 && all + stretches[i].may_stay < stretches[i].count)
      return Unreached{i, static_cast<std::int64_t>(all), Unreached::Why::too_few_blocks};
  }
  return std::nullopt;
}

}  // namespace klab::runner
