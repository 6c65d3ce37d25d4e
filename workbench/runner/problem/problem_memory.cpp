// Allocation, poisoning and inspection of a problem's buffers.
#include "runner/problem/problem_memory.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "core/base/sha256.hpp"
#include "runner/device/device_compare.hpp"

namespace klab::runner {
namespace {

constexpr std::align_val_t alignment{256};

HostBuffer make_host_buffer(std::size_t bytes) {
  return HostBuffer(
      static_cast<std::byte*>(::operator new(std::max<std::size_t>(bytes, 1), alignment)));
}

bool is_written(const BufferSpec& spec) { return spec.role != Role::input; }
bool is_poisoned(const BufferSpec& spec) {
  return spec.role == Role::output || spec.role == Role::scratch;
}
/// What is left in scratch memory is no result.
bool is_result(const BufferSpec& spec) {
  return spec.role == Role::output || spec.role == Role::inout;
}

}  // namespace

void FreeHost::operator()(std::byte* memory) const noexcept {
  ::operator delete(memory, alignment);
}

std::optional<std::size_t> first_difference(const std::byte* a, const std::byte* b,
                                            std::size_t bytes) {
  const auto [at, other] = std::mismatch(a, a + bytes, b);
  if (at == a + bytes) return std::nullopt;
  return static_cast<std::size_t>(at - a);
}

std::optional<std::size_t> first_other(const std::byte* memory, std::size_t bytes,
                                       unsigned char value) {
  const auto* end = memory + bytes;
  const auto* at = std::find_if(memory, end, [=](std::byte b) { return b != std::byte{value}; });
  if (at == end) return std::nullopt;
  return static_cast<std::size_t>(at - memory);
}

bool is_poison(const std::byte* memory, std::size_t bytes, unsigned char poison) {
  return !first_other(memory, bytes, poison);
}

ProblemMemory::ProblemMemory(const Workload& workload, const Size& size, Where where,
                             std::size_t guard)
    : size_(size), where_(where), guard_(guard), specs_(workload.buffers(size)) {
  for (const BufferSpec& spec : specs_) {
    Slot slot;
    slot.bytes = spec.count * spec.element_bytes;
    if (spec.memory == Memory::pinned_host)
      slot.pinned = make_pinned_buffer(block_bytes(slot));
    else if (spec.memory == Memory::pageable_host)
      slot.pageable = make_host_edge(edge_bytes(slot));
    else
      slot.device = make_device_memory(slot);
    slot.payload = slot.block() + guard_;
    if (where == Where::host) {
      slot.initial_host = make_host_buffer(slot.bytes);
      slot.result_host = make_host_buffer(slot.bytes);
    } else {
      // An output has no initial value, but Workload::check may still be handed a pointer for it.
      slot.initial_device = make_device_buffer(is_written(spec) && spec.role != Role::inout
                                                   ? static_cast<std::size_t>(alignment)
                                                   : block_bytes(slot));
    }
    if (slot.pageable && where == Where::device)
      slot.mirror = make_device_buffer(std::max<std::size_t>(slot.bytes, 1));
    if (is_written(spec)) slot.snapshot = make_host_buffer(2 * slot.glimpse());
    slots_.push_back(std::move(slot));
  }
  if (where == Where::device) answer_ = make_device_buffer(sizeof(unsigned long long));
}

DeviceEdge ProblemMemory::make_device_memory(const Slot& slot) const {
  DeviceEdge memory;
  if (guard_ > 0) memory = make_device_edge(edge_bytes(slot));
  if (!memory) memory = DeviceEdge(make_device_buffer(block_bytes(slot)).release());
  return memory;
}

std::size_t ProblemMemory::edge_bytes(const Slot& slot) const {
  return guard_ + (slot.bytes + edge_alignment - 1) / edge_alignment * edge_alignment;
}

std::size_t ProblemMemory::block_bytes(const Slot& slot) const {
  if (guard_ == 0) return slot.bytes;
  if (slot.pageable || has_edge(slot.device)) return edge_bytes(slot);
  const auto unit = static_cast<std::size_t>(alignment);
  return 2 * guard_ + (slot.bytes + unit - 1) / unit * unit;
}

void ProblemMemory::fill(const Workload& workload, std::uint64_t seed) {
  seed_ = seed;
  Problem initial{size_, where_, {}, seed_};
  // fill() writes inputs and inouts only; an output's pointer is the working one, which is poisoned
  // afterwards.
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const bool output_on_device = is_poisoned(specs_[i]) && where_ == Where::device;
    initial.buffers.push_back(output_on_device ? visible(slots_[i]) : slots_[i].initial());
  }
  workload.fill(initial);
  check_cuda(cudaDeviceSynchronize());
}

void ProblemMemory::set(const Slot& slot, std::byte* from, unsigned char value, std::size_t bytes,
                        cudaStream_t stream) {
  if (!slot.pageable) return check_cuda(cudaMemsetAsync(from, value, bytes, stream));
  check_cuda(cudaStreamSynchronize(stream));
  std::memset(from, value, bytes);
}

std::byte* ProblemMemory::visible(Slot& slot) {
  if (!slot.mirror) return slot.payload;
  check_cuda(cudaMemcpy(slot.mirror.get(), slot.payload, slot.bytes, cudaMemcpyDefault));
  return slot.mirror.get();
}

void ProblemMemory::prepare(unsigned char poison, cudaStream_t stream) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    set(slot, slot.block(), guard_byte, block_bytes(slot), stream);
    if (is_poisoned(specs_[i]))
      set(slot, slot.payload, poison, slot.bytes, stream);
    else
      check_cuda(
          cudaMemcpyAsync(slot.payload, slot.initial(), slot.bytes, cudaMemcpyDefault, stream));
  }
  check_cuda(cudaDeviceSynchronize());
}

void ProblemMemory::refresh(cudaStream_t stream) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    if (is_poisoned(specs_[i]))
      set(slot, slot.payload, first_poison, slot.bytes, stream);
    else if (specs_[i].role == Role::inout)
      check_cuda(
          cudaMemcpyAsync(slot.payload, slot.initial(), slot.bytes, cudaMemcpyDefault, stream));
  }
}

Problem ProblemMemory::working() const {
  Problem problem{size_, Where::device, {}, seed_};
  for (const Slot& slot : slots_) problem.buffers.push_back(slot.payload);
  return problem;
}

void ProblemMemory::snapshot(cudaStream_t stream) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    if (!is_written(specs_[i])) continue;
    // The last elements first: most kernels write them last.
    check_cuda(cudaMemcpyAsync(slot.snapshot.get() + slot.glimpse(), slot.payload + slot.tail(),
                               slot.glimpse(), cudaMemcpyDefault, stream));
    check_cuda(cudaMemcpyAsync(slot.snapshot.get(), slot.payload, slot.glimpse(), cudaMemcpyDefault,
                               stream));
  }
}

std::optional<BufferPlace> ProblemMemory::changed_since_snapshot() {
  std::vector<std::byte> now(glimpse_bytes);
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    if (!is_written(specs_[i])) continue;
    for (const bool tail : {false, true}) {
      const std::size_t from = tail ? slot.tail() : 0;
      const std::byte* saved = slot.snapshot.get() + (tail ? slot.glimpse() : 0);
      check_cuda(cudaMemcpy(now.data(), slot.payload + from, slot.glimpse(), cudaMemcpyDefault));
      if (const auto offset = first_difference(saved, now.data(), slot.glimpse()))
        return place(i, static_cast<std::int64_t>(from + *offset));
    }
  }
  return std::nullopt;
}

std::optional<BufferPlace> ProblemMemory::touched_output(unsigned char poison,
                                                         cudaStream_t stream) const {
  std::vector<std::byte> now(glimpse_bytes);
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    if (specs_[i].role != Role::output) continue;
    check_cuda(
        cudaMemcpyAsync(now.data(), slot.payload, slot.glimpse(), cudaMemcpyDefault, stream));
    check_cuda(cudaStreamSynchronize(stream));
    if (const auto offset = first_other(now.data(), slot.glimpse(), poison))
      return place(i, static_cast<std::int64_t>(*offset));
  }
  return std::nullopt;
}

std::optional<std::size_t> ProblemMemory::difference_from_initial(Slot& slot) {
  if (slot.bytes == 0) return std::nullopt;
  if (where_ == Where::device)
    return first_device_difference(visible(slot), slot.initial(), slot.bytes, answer_.get());
  check_cuda(cudaMemcpy(slot.result_host.get(), slot.payload, slot.bytes, cudaMemcpyDefault));
  return first_difference(slot.result_host.get(), slot.initial(), slot.bytes);
}

BufferPlace ProblemMemory::place(std::size_t buffer, std::int64_t offset) const {
  const auto element = static_cast<std::int64_t>(specs_[buffer].element_bytes);
  // Towards minus infinity: one byte before the buffer is element -1.
  return {buffer, offset >= 0 ? offset / element : (offset - element + 1) / element};
}

std::optional<BufferPlace> ProblemMemory::changed_input() {
  for (std::size_t i = 0; i < slots_.size(); ++i)
    if (specs_[i].role == Role::input)
      if (const auto offset = difference_from_initial(slots_[i]))
        return place(i, static_cast<std::int64_t>(*offset));
  return std::nullopt;
}

std::optional<BufferPlace> ProblemMemory::damaged_guard() const {
  if (guard_ == 0) return std::nullopt;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    const auto payload = static_cast<std::int64_t>(slot.bytes);
    const std::size_t rear_bytes = block_bytes(slot) - guard_ - slot.bytes;
    std::vector<std::byte> band(std::max(guard_, rear_bytes));
    // Behind first: running over the end is the usual mistake.
    check_cuda(cudaMemcpy(band.data(), slot.payload + payload, rear_bytes, cudaMemcpyDefault));
    if (const auto at = first_other(band.data(), rear_bytes, guard_byte))
      return place(i, payload + static_cast<std::int64_t>(*at));
    check_cuda(cudaMemcpy(band.data(), slot.block(), guard_, cudaMemcpyDefault));
    if (const auto at = first_other(band.data(), guard_, guard_byte))
      return place(i, static_cast<std::int64_t>(*at) - static_cast<std::int64_t>(guard_));
  }
  return std::nullopt;
}

Mismatch ProblemMemory::compare(const Workload& workload) {
  Problem initial{size_, where_, {}, seed_};
  Problem result{size_, where_, {}, seed_};
  for (Slot& slot : slots_) {
    initial.buffers.push_back(slot.initial());
    if (where_ == Where::host)
      check_cuda(cudaMemcpy(slot.result_host.get(), slot.payload, slot.bytes, cudaMemcpyDefault));
    result.buffers.push_back(where_ == Where::host ? slot.result_host.get() : visible(slot));
  }
  return workload.check(initial, result);
}

std::vector<std::byte> ProblemMemory::element(BufferPlace place) const {
  const std::size_t bytes = specs_.at(place.buffer).element_bytes;
  std::vector<std::byte> value(bytes);
  check_cuda(cudaMemcpy(
      value.data(), slots_[place.buffer].payload + place.index * static_cast<std::int64_t>(bytes),
      bytes, cudaMemcpyDefault));
  return value;
}

std::string ProblemMemory::result_digest() const {
  std::string results;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (!is_result(specs_[i])) continue;
    const std::size_t begin = results.size();
    results.resize(begin + slots_[i].bytes);
    check_cuda(
        cudaMemcpy(results.data() + begin, slots_[i].payload, slots_[i].bytes, cudaMemcpyDefault));
  }
  return sha256(results);
}

}  // namespace klab::runner
