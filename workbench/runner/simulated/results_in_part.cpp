// Pages that blocks touched, and the same pages on the host for the reference.
#include "runner/simulated/results_in_part.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "runner/device/cuda_check.hpp"
#include "runner/simulated/simulator_link.hpp"

namespace klab::runner {
namespace {

/// Of a buffer: to fill and compare them takes some hundredths of a second.
constexpr std::size_t most_pages_compared = 2048;
/// What an element holds that nobody wrote: as a float, or as two halves, an unlikely result.
constexpr unsigned char unwritten_byte = 0xA5;

/// Neighbouring pages as elements; nullopt where there are too many.
std::optional<std::vector<Elements>> touched_elements(const Stretch& stretch) {
  const auto pages =
      touched_pages(stretch.begin, stretch.count * stretch.element_bytes, most_pages_compared);
  if (pages.size() >= most_pages_compared) return std::nullopt;
  const auto each = static_cast<std::int64_t>(simulated_page_bytes / stretch.element_bytes);
  const auto count = static_cast<std::int64_t>(stretch.count);
  std::vector<Elements> parts;
  for (const unsigned long long page : pages) {
    const std::int64_t begin = static_cast<std::int64_t>(page) * each;
    const std::int64_t end = std::min(begin + each, count);
    if (!parts.empty() && parts.back().end == begin)
      parts.back().end = end;
    else
      parts.push_back({begin, end});
  }
  return parts;
}

struct Bytes {
  std::size_t at, count;
};

Bytes bytes_of(const Stretch& stretch, const Elements& part) {
  const auto each = static_cast<std::int64_t>(stretch.element_bytes);
  return {static_cast<std::size_t>(part.begin * each),
          static_cast<std::size_t>((part.end - part.begin) * each)};
}

void set(const Stretch& stretch, const std::vector<Elements>& parts, int value) {
  for (const Elements& part : parts) {
    const Bytes bytes = bytes_of(stretch, part);
    check_cuda(cudaMemset(stretch.begin + bytes.at, value, bytes.count));
  }
}

/// Of these elements those that were written.
std::vector<Elements> written_of(const Stretch& stretch, const std::byte* values,
                                 const std::vector<Elements>& parts) {
  std::vector<Elements> written;
  for (const Elements& part : parts)
    for (std::int64_t i = part.begin; i < part.end; ++i) {
      const std::byte* element = values + static_cast<std::size_t>(i) * stretch.element_bytes;
      if (std::all_of(element, element + stretch.element_bytes,
                      [](std::byte b) { return b == std::byte{unwritten_byte}; }))
        continue;
      if (!written.empty() && written.back().end == i)
        ++written.back().end;
      else
        written.push_back({i, i + 1});
    }
  return written;
}

bool touches_too_much(const std::vector<Stretch>& stretches) {
  return std::any_of(stretches.begin(), stretches.end(), [](const Stretch& stretch) {
    return touched_pages(stretch.begin, stretch.count * stretch.element_bytes, most_pages_compared)
               .size() >= most_pages_compared;
  });
}

bool run_all(const std::vector<std::uint64_t>& blocks, const RunBlock& run_block) {
  return std::all_of(blocks.begin(), blocks.end(),
                     [&](std::uint64_t block) { return run_block(block).has_value(); });
}

}  // namespace

std::optional<Mismatch> compare_in_part(const Workload& workload,
                                        const std::vector<Stretch>& stretches, Problem problem,
                                        const std::vector<std::uint64_t>& blocks,
                                        const RunBlock& run_block) {
  // Where the first block touches too much, so do the others.
  for (const std::uint64_t block : blocks)
    if (!run_block(block) || touches_too_much(stretches)) return std::nullopt;
  std::vector<HostMirror> mirrors;
  problem.where = Where::host;
  problem.buffers.clear();
  problem.parts.clear();
  for (const Stretch& stretch : stretches) {
    mirrors.emplace_back(stretch.count * stretch.element_bytes);
    const auto parts = touched_elements(stretch);
    if (!parts || !mirrors.back().get()) return std::nullopt;
    problem.buffers.push_back(mirrors.back().get());
    problem.parts.push_back(*parts);
  }
  workload.fill(problem);
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    if (stretches[i].is_output) {
      set(stretches[i], problem.parts[i], unwritten_byte);
      continue;
    }
    for (const Elements& part : problem.parts[i]) {
      const Bytes bytes = bytes_of(stretches[i], part);
      check_cuda(cudaMemcpy(stretches[i].begin + bytes.at, mirrors[i].get() + bytes.at, bytes.count,
                            cudaMemcpyDefault));
    }
  }
  const bool ran = run_all(blocks, run_block);
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const std::vector<Elements> parts = problem.parts[i];
    if (stretches[i].is_output && ran) {
      for (const Elements& part : parts) {
        const Bytes bytes = bytes_of(stretches[i], part);
        check_cuda(cudaMemcpy(mirrors[i].get() + bytes.at, stretches[i].begin + bytes.at,
                              bytes.count, cudaMemcpyDefault));
      }
      problem.parts[i] = written_of(stretches[i], mirrors[i].get(), parts);
    }
    set(stretches[i], parts, 0);
  }
  if (!ran) return std::nullopt;
  return workload.check(problem, problem);
}

RealInputs::RealInputs(const Workload& workload, std::vector<Stretch> stretches, Problem problem)
    : stretches_(std::move(stretches)) {
  problem.where = Where::host;
  problem.buffers.clear();
  for (const Stretch& stretch : stretches_) {
    mirrors_.emplace_back(stretch.count * stretch.element_bytes);
    const auto parts = touched_elements(stretch);
    exist_ &= mirrors_.back().get() != nullptr;
    complete_ &= !stretch.is_input || parts.has_value();
    problem.buffers.push_back(mirrors_.back().get());
    problem.parts.push_back(stretch.is_input && parts ? *parts : std::vector<Elements>{});
  }
  if (!exist_) return;
  workload.fill(problem);
  parts_ = problem.parts;
  for (std::size_t i = 0; i < stretches_.size(); ++i)
    for (const Elements& part : parts_[i]) {
      const Bytes bytes = bytes_of(stretches_[i], part);
      check_cuda(cudaMemcpy(stretches_[i].begin + bytes.at, mirrors_[i].get() + bytes.at,
                            bytes.count, cudaMemcpyDefault));
    }
}

std::optional<InputPlace> RealInputs::changed() const {
  for (std::size_t i = 0; i < stretches_.size(); ++i) {
    if (!stretches_[i].is_input) continue;
    const auto now = touched_elements(stretches_[i]);
    if (!now) continue;
    for (const Elements& part : *now) {
      const Bytes bytes = bytes_of(stretches_[i], part);
      std::vector<std::byte> seen(bytes.count);
      check_cuda(
          cudaMemcpy(seen.data(), stretches_[i].begin + bytes.at, bytes.count, cudaMemcpyDefault));
      const std::byte* want = mirrors_[i].get() + bytes.at;
      const auto other = std::mismatch(seen.begin(), seen.end(), want).first;
      if (other != seen.end())
        return InputPlace{
            i, part.begin +
                   (other - seen.begin()) / static_cast<std::int64_t>(stretches_[i].element_bytes)};
    }
  }
  return std::nullopt;
}

}  // namespace klab::runner
