// Allocation, poisoning and inspection of a problem's buffers.
#include "runner/problem/problem_memory.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "core/base/sha256.hpp"
#include "runner/device/device_compare.hpp"
#include "runner/device/incomplete_words.hpp"
#include "runner/device/runner_error.hpp"
#include "runner/problem/one_changed.hpp"
#include "runner/workload/random.cuh"

namespace klab::runner {
namespace {

/// Of memory that buffers were moved from: NaN for whoever reads there.
constexpr unsigned char former_mark = 0xFF;

bool is_input(const BufferSpec& spec) {
  return spec.role == Role::input || spec.role == Role::inout;
}
bool is_poisoned(const BufferSpec& spec) {
  return spec.role == Role::output || spec.role == Role::scratch;
}
/// What is left in scratch memory is no result.
bool is_result(const BufferSpec& spec) {
  return spec.role == Role::output || spec.role == Role::inout;
}

}  // namespace

ProblemMemory::ProblemMemory(const Workload& workload, const Size& size, Where where,
                             std::size_t guard, const SecondDevice* second)
    : size_(size), where_(where), guard_(guard), second_(second), specs_(workload.buffers(size)) {
  for (const BufferSpec& spec : specs_) slots_.push_back(make_slot(spec));
  if (where == Where::device) answer_ = take_memory(sizeof(unsigned long long));
}

ProblemMemory::ProblemMemory(const Workload& workload, const Size& size, Where where,
                             const ProblemMemory& room)
    : ProblemMemory(workload, size, where, 0, room.second_) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    const Slot& place = room.slots_[i];
    if (!slot.on_device() || slot.on_second || slot.bytes > place.bytes) continue;
    slot.device = DeviceEdge(place.payload, {.is_lent = true});
    slot.payload = place.payload;
  }
}

ProblemMemory::Slot ProblemMemory::make_slot(const BufferSpec& spec) const {
  Slot slot;
  slot.bytes = spec.count * spec.element_bytes;
  allocate(slot, spec);
  slot.payload = slot.block() + guard_;
  const std::size_t some_bytes = std::max<std::size_t>(slot.bytes, sizeof(std::uint64_t));
  if (where_ == Where::host) {
    slot.initial_host = make_host_buffer(slot.bytes);
    slot.result_host = make_host_buffer(slot.bytes);
  }
  // An output has no initial value, but Workload::check may still be handed a pointer for it.
  slot.initial_device = take_memory(is_input(spec) ? some_bytes : host_buffer_alignment);
  if ((slot.pageable || slot.on_second) && where_ == Where::device)
    slot.mirror = take_memory(some_bytes);
  if (is_result(spec)) {
    if (slot.pageable)
      slot.captured_host = make_host_buffer(slot.bytes);
    else
      slot.captured = take_memory(some_bytes);
  }
  return slot;
}

void ProblemMemory::move(std::size_t buffer) {
  Slot moved = make_slot(specs_[buffer]);
  former_.push_back({buffer, std::exchange(slots_[buffer], std::move(moved))});
}

bool ProblemMemory::exchange(std::size_t one, std::size_t other) {
  const auto can_move = [&](std::size_t i) {
    return slots_[i].on_device() && !slots_[i].on_second && specs_[i].role != Role::scratch;
  };
  Slot &a = slots_[one], &b = slots_[other];
  if (!can_move(one) || !can_move(other) || a.bytes != b.bytes) return false;
  std::swap(a.device, b.device);
  std::swap(a.payload, b.payload);
  return true;
}

std::vector<DeviceEdge*> ProblemMemory::edges() {
  std::vector<DeviceEdge*> found;
  for (Slot& slot : slots_)
    if (!slot.on_second && has_edge(slot.device)) found.push_back(&slot.device);
  return found;
}

void ProblemMemory::allocate(Slot& slot, const BufferSpec& spec) const {
  switch (spec.memory) {
    case Memory::pinned_host:
      slot.pinned = take_memory(block_bytes(slot), SpareKind::pinned);
      return;
    case Memory::pageable_host:
      slot.pageable = make_host_edge(edge_bytes(slot));
      return;
    case Memory::device:
      slot.device = make_device_memory(slot);
      return;
    case Memory::second_device: {
      if (second_ == nullptr)
        throw RunnerError(make_error(ErrorCode::bad_lab,
                                     "The task puts " + spec.name +
                                         " on a second device, and the lab "
                                         "takes one.",
                                     "Write `gpus = 2` in lab.toml."));
      const CurrentDevice there(second_->number());
      slot.on_second = true;
      slot.device = make_device_memory(slot);
      if (is_input(spec))
        slot.staged_there = take_memory(std::max<std::size_t>(slot.bytes, sizeof(std::uint64_t)));
      return;
    }
  }
}

template <class Act>
void ProblemMemory::at_home(const Slot& slot, cudaStream_t first, Act act) const {
  if (!slot.on_second) return act(first);
  const CurrentDevice there(second_->number());
  act(second_->stream());
}

void ProblemMemory::wait_for_devices() const {
  check_cuda(cudaDeviceSynchronize());
  if (second_) check_cuda(second_->wait());
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
  const std::size_t unit = host_buffer_alignment;
  return 2 * guard_ + (slot.bytes + unit - 1) / unit * unit;
}

void ProblemMemory::fill(const Workload& workload, std::uint64_t seed, bool unusual,
                         std::optional<std::size_t> changed) {
  seed_ = seed;
  unusual_ = unusual;
  marks_ = marks_of(seed);
  scalars_ = {};
  Problem initial = problem(where_);
  // fill() writes inputs and inouts only; an output's pointer is the working one, which is poisoned
  // afterwards.
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const bool output_on_device = is_poisoned(specs_[i]) && where_ == Where::device;
    initial.buffers.push_back(output_on_device ? visible(slots_[i], slots_[i].payload)
                                               : slots_[i].initial());
  }
  workload.fill(initial);
  if (changed) {
    const Problem other = with_one_changed(initial, specs_, *changed);
    workload.fill(other);
    scalars_ = other.scalars;
  }
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    if (slot.initial_host && is_input(specs_[i]))
      check_cuda(cudaMemcpy(slot.initial_device.get(), slot.initial_host.get(), slot.bytes,
                            cudaMemcpyDefault));
    if (slot.staged_there)
      check_cuda(cudaMemcpy(slot.staged_there.get(), slot.initial_device.get(), slot.bytes,
                            cudaMemcpyDefault));
  }
  wait_for_devices();
}

void ProblemMemory::set(const Slot& slot, std::byte* from, unsigned char value, std::size_t bytes,
                        cudaStream_t stream) const {
  if (!slot.pageable)
    return at_home(slot, stream,
                   [&](cudaStream_t its) { check_cuda(cudaMemsetAsync(from, value, bytes, its)); });
  check_cuda(cudaStreamSynchronize(stream));
  std::memset(from, value, bytes);
}

std::byte* ProblemMemory::visible(Slot& slot, const std::byte* from) const {
  std::byte* copy = where_ == Where::host ? slot.result_host.get() : slot.mirror.get();
  if (!copy) return const_cast<std::byte*>(from);
  check_cuda(cudaMemcpy(copy, from, slot.bytes, cudaMemcpyDefault));
  return copy;
}

void ProblemMemory::prepare(cudaStream_t stream) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    if (guard_ > 0) {
      const std::size_t behind = guard_ + slot.bytes;
      set(slot, slot.block(), marks_.guard, guard_, stream);
      set(slot, slot.block() + behind, marks_.guard, block_bytes(slot) - behind, stream);
    }
    if (is_poisoned(specs_[i]))
      set(slot, slot.payload, marks_.poison, slot.bytes, stream);
    else if (!slot.on_device())
      check_cuda(
          cudaMemcpyAsync(slot.payload, slot.initial(), slot.bytes, cudaMemcpyDefault, stream));
  }
  for (const Former& former : former_)
    set(former.slot, former.slot.payload, former_mark, former.slot.bytes, stream);
  wait_for_devices();
}

void ProblemMemory::deliver(cudaStream_t stream, bool incomplete) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    if (!is_input(specs_[i]) || !slot.on_device()) continue;
    at_home(slot, stream, [&](cudaStream_t its) {
      check_cuda(cudaMemcpyAsync(slot.payload, slot.staged(), slot.bytes, cudaMemcpyDefault, its));
      if (incomplete) spoil_words(slot.payload, slot.staged(), slot.bytes, hash(seed_, i), its);
    });
  }
}

void ProblemMemory::complete(cudaStream_t stream) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    if (!is_input(specs_[i]) || !slot.on_device()) continue;
    at_home(slot, stream, [&](cudaStream_t its) {
      restore_words(slot.payload, slot.staged(), slot.bytes, hash(seed_, i), its);
    });
  }
}

void ProblemMemory::use_before(cudaStream_t stream) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    if (slot.on_second) continue;  // its stream is not the given one
    if (is_input(specs_[i]) && slot.on_device())
      check_cuda(
          cudaMemcpyAsync(slot.payload, slot.staged(), slot.bytes, cudaMemcpyDefault, stream));
    if (!is_poisoned(specs_[i])) continue;
    if (slot.on_device())
      set(slot, slot.payload, marks_.poison, slot.bytes, stream);
    else if (slot.captured)  // the launch's host code may write here at once
      check_cuda(cudaMemcpyAsync(slot.captured.get(), slot.payload, slot.bytes, cudaMemcpyDefault,
                                 stream));
  }
}

Problem ProblemMemory::working() const {
  Problem problem = this->problem(Where::device);
  for (const Slot& slot : slots_) problem.buffers.push_back(slot.payload);
  problem.devices.first = current_device();
  if (second_) problem.devices.second = second_->number();
  if (second_) problem.devices.second_stream = second_->stream();
  return problem;
}

void ProblemMemory::capture(cudaStream_t stream) {
  for (const Slot& slot : slots_)
    if (slot.captured)
      check_cuda(cudaMemcpyAsync(slot.captured.get(), slot.payload, slot.bytes, cudaMemcpyDefault,
                                 stream));
}

void ProblemMemory::capture_pageable() {
  for (const Slot& slot : slots_)
    if (slot.captured_host) std::memcpy(slot.captured_host.get(), slot.payload, slot.bytes);
}

/// Piece by piece: arrays for all of it would be new memory, which takes longer than to compare.
std::optional<std::size_t> ProblemMemory::first_difference_from_capture(const Slot& slot) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  std::vector<std::byte> now(std::min(piece, slot.bytes)), then(now.size());
  for (std::size_t at = 0; at < slot.bytes; at += piece) {
    const std::size_t length = std::min(piece, slot.bytes - at);
    check_cuda(cudaMemcpy(now.data(), slot.payload + at, length, cudaMemcpyDefault));
    check_cuda(cudaMemcpy(then.data(), slot.capture() + at, length, cudaMemcpyDefault));
    if (const auto offset = first_difference(now.data(), then.data(), length)) return at + *offset;
  }
  return std::nullopt;
}

std::optional<BufferPlace> ProblemMemory::changed_since_capture() {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    if (slot.bytes == 0 || !is_result(specs_[i])) continue;
    std::optional<std::size_t> offset;
    if (slot.captured && where_ == Where::device) {
      offset = first_device_difference(visible(slot, slot.payload), slot.captured.get(), slot.bytes,
                                       answer_.get());
    } else {
      offset = first_difference_from_capture(slot);
    }
    if (offset) return place(i, static_cast<std::int64_t>(*offset));
  }
  return std::nullopt;
}

std::optional<BufferPlace> ProblemMemory::touched_output(cudaStream_t stream) const {
  std::vector<std::byte> now(glimpse_bytes);
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    if (specs_[i].role != Role::output) continue;
    check_cuda(
        cudaMemcpyAsync(now.data(), slot.payload, slot.glimpse(), cudaMemcpyDefault, stream));
    check_cuda(cudaStreamSynchronize(stream));
    if (const auto offset = first_other(now.data(), slot.glimpse(), marks_.poison))
      return place(i, static_cast<std::int64_t>(*offset));
  }
  return std::nullopt;
}

std::optional<std::size_t> ProblemMemory::difference_from_initial(Slot& slot) {
  if (slot.bytes == 0) return std::nullopt;
  if (where_ == Where::device)
    return first_device_difference(visible(slot, slot.payload), slot.initial(), slot.bytes,
                                   answer_.get());
  return first_difference(visible(slot, slot.payload), slot.initial(), slot.bytes);
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
    if (const auto at = first_other(band.data(), rear_bytes, marks_.guard))
      return place(i, payload + static_cast<std::int64_t>(*at));
    check_cuda(cudaMemcpy(band.data(), slot.block(), guard_, cudaMemcpyDefault));
    if (const auto at = first_other(band.data(), guard_, marks_.guard))
      return place(i, static_cast<std::int64_t>(*at) - static_cast<std::int64_t>(guard_));
  }
  return std::nullopt;
}

std::optional<BufferPlace> ProblemMemory::written_former() const {
  for (const Former& former : former_) {
    std::vector<std::byte> now(former.slot.bytes);
    check_cuda(cudaMemcpy(now.data(), former.slot.payload, now.size(), cudaMemcpyDefault));
    if (const auto at = first_other(now.data(), now.size(), former_mark))
      return place(former.buffer, static_cast<std::int64_t>(*at));
  }
  return std::nullopt;
}

Mismatch ProblemMemory::compare(const Workload& workload) {
  Problem initial = problem(where_), result = problem(where_);
  for (Slot& slot : slots_) {
    initial.buffers.push_back(slot.initial());
    result.buffers.push_back(visible(slot, slot.capture() ? slot.capture() : slot.payload));
  }
  return workload.check(initial, result);
}

bool ProblemMemory::is_unwritten(BufferPlace place) const {
  const BufferSpec& spec = specs_.at(place.buffer);
  if (spec.role != Role::output) return false;
  const std::size_t bytes = spec.element_bytes;
  std::vector<std::byte> value(bytes);
  check_cuda(cudaMemcpy(
      value.data(), slots_[place.buffer].capture() + place.index * static_cast<std::int64_t>(bytes),
      bytes, cudaMemcpyDefault));
  return is_poison(value.data(), bytes, marks_.poison);
}

std::string ProblemMemory::result_digest() const {
  std::string results;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (!is_result(specs_[i])) continue;
    const std::size_t begin = results.size();
    results.resize(begin + slots_[i].bytes);
    check_cuda(cudaMemcpy(results.data() + begin, slots_[i].capture(), slots_[i].bytes,
                          cudaMemcpyDefault));
  }
  return sha256(results);
}

}  // namespace klab::runner
