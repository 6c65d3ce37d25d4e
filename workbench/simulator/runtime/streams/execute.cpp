// Runs one unit of work on the simulated device and counts it.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include "simulator/base/host_arithmetic.hpp"
#include "simulator/base/round_up.hpp"
#include "simulator/program/kept_variables.hpp"
#include "simulator/program/program.hpp"
#include "simulator/runtime/state/runtime.hpp"
#include "simulator/runtime/streams/early.hpp"
#include "simulator/runtime/streams/faults.hpp"
#include "simulator/runtime/streams/freed.hpp"
#include "simulator/runtime/streams/graphs/body_runs.hpp"
#include "simulator/runtime/streams/work.hpp"

namespace klab::sim {
namespace {

constexpr std::size_t most_bytes_in_part = std::size_t{64} << 20;

struct Executor {
  Runtime& runtime = Runtime::instance();
  TouchedMemory* touched = nullptr;  ///< null: nobody asks
  KernelUses* uses = nullptr;        ///< the same

  DeviceMemory& memory() { return runtime.device().memory(); }

  /// Where the simulator itself may touch the range; host memory is touched as it is.
  std::byte* view(const void* pointer, std::size_t bytes) {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    if (!runtime.has_device() || !memory().in_arena(address)) {
      return static_cast<std::byte*>(const_cast<void*>(pointer));
    }
    return memory().host_view(address, bytes);
  }

  void note(ByteRanges TouchedMemory::*how, const void* pointer, std::size_t bytes) {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    if (touched != nullptr) (touched->*how).add(address, address + bytes);
  }

  void mark_initialized(const void* pointer, std::size_t bytes) {
    if (!runtime.has_device() || !memory().tracking()) return;
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    if (memory().in_arena(address)) memory().mark_initialized(address, bytes);
  }

  static const char* kind_of(const void* pointer) {
    const Place place = place_of(pointer);
    if (place.managed) return "managed";
    if (place.side == Side::device) return "device";
    return place.pinned ? "pinned" : "pageable";
  }

  cudaError_t operator()(const EmptyWork&) { return cudaSuccess; }

  cudaError_t operator()(const KernelWork& work) {
    if (work.kernel->kernel == nullptr || work.kernel->module->retired) {
      return cudaErrorInvalidDeviceFunction;
    }
    count(work);
    const Limits limits = limits_of_launch();
    LaunchResult result =
        limits.share_of_blocks < 1 ? launch_share(work, limits) : launch(work, limits);
    const bool knows_its_way = !runtime.settings.part_of_several || note_part(result);
    if (touched != nullptr && knows_its_way) touched->add(result.touched);
    if (uses != nullptr) uses->add(result.uses);
    LeftOut& left_out = runtime.left_out;
    left_out.kernels += result.in_part;
    left_out.warps = result.stopped.all, left_out.warps_ahead = result.stopped.ahead;
    left_out.deadlocks += result.fault && result.fault->code == FaultCode::barrier_deadlock;
    const bool explained = result.fault && is_told_of(*result.fault, result.findings);
    for (Finding& finding : result.findings) runtime.add(std::move(finding));
    return result.fault ? end_with(*result.fault, *work.kernel->kernel, explained) : cudaSuccess;
  }

  void count(const KernelWork& work) {
    HostCounts& counts = runtime.counts;
    const std::uint64_t blocks = work.grid.count(), threads = work.block.count();
    ++counts.kernels_executed;
    counts.blocks_launched += blocks;
    ++counts.kernels_by_blocks[blocks];
    counts.threads_launched += blocks * threads;
    counts.warps_launched += blocks * ((threads + lane_count - 1) / lane_count);
    runtime.left_out.most_blocks = std::max(runtime.left_out.most_blocks, blocks);
    if (runtime.order.on())
      runtime.order.add(
          {.kind = OrderedKind::kernel, .name = readable_name(work.kernel->kernel->name())});
  }

  Limits limits_of_launch() const {
    Limits limits;
    limits.instruction_budget = runtime.settings.instruction_budget;
    limits.touched_bytes = runtime.settings.touched_bytes;
    limits.blocks_in_part = runtime.settings.blocks_in_part;
    limits.part_begins = runtime.settings.part_begins;
    limits.share_of_blocks = runtime.settings.share_of_blocks;
    limits.drawn = runtime.settings.drawn;
    limits.stack_bytes = runtime.settings.stack_bytes;
    limits.printf_bytes = runtime.settings.printf_bytes;
    limits.checks = runtime.settings.checks;
    limits.warps_in_reverse = runtime.settings.warps_in_reverse;
    limits.multiprocessors = runtime.settings.multiprocessors;
    if (runtime.settings.counting_clock) limits.counted_from = runtime.ticks + 1;
    limits.watch_memory = touched != nullptr || runtime.settings.part_of_several;
    limits.watch_lines = uses != nullptr;
    limits.cancel = &runtime.cancel;
    limits.conditions = &runtime.conditions;
    limits.progress = runtime.progress;
    return limits;
  }

  LaunchResult launch(const KernelWork& work, const Limits& limits) {
    Kernel& kernel = *work.kernel->kernel;
    const LaunchConfig config{work.grid,        work.block,
                              work.cluster,     work.dynamic_shared_bytes,
                              work.cooperative, work.parameters};
    const std::uint64_t before = instructions_of(kernel);
    const std::int64_t pieces_before = memory().heap_pieces();
    std::optional<KeptVariables> kept;
    if (limits.blocks_in_part > 0) kept.emplace(memory(), work.kernel->module->module->variables());
    LaunchResult result = runtime.device().launch(kernel, config, limits);
    if (kept && (result.in_part || result.fault)) kept->put_back(memory());
    runtime.counts.kept_allocations += memory().heap_pieces() - pieces_before;
    runtime.ticks += instructions_of(kernel) - before;
    return result;
  }

  /// Of a launch some of whose blocks are run, which stand for all in what is counted.
  LaunchResult launch_share(const KernelWork& work, const Limits& limits) {
    const Counts before = work.kernel->kernel->counts().total;
    LaunchResult result = launch(work, limits);
    stand_for_all(*work.kernel->kernel, before, result.blocks_for_each);
    return result;
  }

  /// `explained`: a finding says what the fault would. The error of the call, or success where it
  /// becomes that of a later one.
  cudaError_t end_with(Fault& fault, const Kernel& kernel, bool explained) {
    if (fault.code == FaultCode::barrier_deadlock && fault.lacking)
      judge_deadlock(fault, kernel.name());
    if (const auto& lacking = fault.lacking)
      runtime.add(Missing{lacking->opcode, kernel.name(), lacking->file, lacking->line,
                          readable_message(fault.message)});
    else if (!explained)
      tell(fault);
    const cudaError_t code = error_of(fault.code);
    if (is_refusal(fault.code)) return code;
    FaultedWork faulted{.kernel = kernel.name(), .other = {}};
    if (fault.code == FaultCode::budget_exhausted || fault.code == FaultCode::cancelled)
      runtime.errors.end_launch(code, std::move(faulted));
    else
      runtime.errors.set_fatal(code, std::move(faulted));
    return cudaSuccess;
  }

  /// Who asked for an end knows why.
  void tell(const Fault& fault) {
    const std::string sentence = readable_message(fault.message);
    if (fault.code == FaultCode::cancelled)
      runtime.note(sentence);
    else
      runtime.say(sentence);
  }

  /// Threads that poll in vain for what other work may do: a deadlock where there is none.
  void judge_deadlock(Fault& fault, const std::string& kernel) {
    if (!runtime.streams.any_beside()) return fault.lacking.reset();
    fault.code = FaultCode::unsupported;
    fault.message = fmt::format(
        "{}:{}: kernel {} waits for what others may do that a GPU runs beside it: work of another "
        "stream is yet to begin, and here one thing runs after the other; this kernel needs a GPU.",
        fault.lacking->file, fault.lacking->line, kernel);
  }

  /// One of several kernels that run in part. What it finds where it read what others left out,
  /// says nothing. Where it goes does, as long as no byte that it read is missing: true if so.
  bool note_part(LaunchResult& result) {
    LeftOut& left_out = runtime.left_out;
    const bool uncertain = left_out.reads_incomplete(memory(), result.touched);
    const bool knows_its_way =
        !uncertain || !left_out.reads_what_is_missing(memory(), result.touched);
    if (uncertain) {
      ++left_out.uncertain;
      result.findings.clear();
    }
    if (uncertain || result.in_part) left_out.add_incomplete(memory(), result.touched);
    return knows_its_way;
  }

  void stand_for_all(Kernel& kernel, const Counts& before, double blocks_for_each) const {
    const Counts after = kernel.counts().total;
    for (std::size_t i = 0; i < metric_count; ++i) {
      const auto metric = static_cast<Metric>(i);
      if (after[metric] > before[metric])
        runtime.counts_left_out[metric] +=
            static_cast<double>(after[metric] - before[metric]) * (blocks_for_each - 1);
    }
  }

  /// Warp instructions of all its launches; 0 where no clock counts them.
  std::uint64_t instructions_of(Kernel& kernel) const {
    return runtime.settings.counting_clock ? kernel.warp_instructions() : 0;
  }

  /// Where kernels run in part, memory is larger than this machine's: nothing may touch all of it.
  /// `span`: of a column, with what lies between its elements.
  bool is_too_much(std::size_t span) const {
    return runtime.settings.blocks_in_part > 0 && span > most_bytes_in_part;
  }
  /// A copy or fill, whose ends were looked at when it was asked for. `span`: of what it writes.
  cudaError_t leave_out(const void* destination, std::size_t span) {
    const auto address = reinterpret_cast<std::uint64_t>(destination);
    runtime.left_out.copied_to.add(address, address + span);
    TouchedMemory written;
    written.written.add(address, address + 1);
    if (runtime.has_device()) runtime.left_out.add_incomplete(memory(), std::move(written));
    ++runtime.left_out.copies;
    return cudaSuccess;
  }

  void notice_cut_short(const void* address, std::size_t bytes) const {
    if (runtime.settings.blocks_in_part > 0)
      runtime.left_out.notice_cut_short(runtime.allocations, address, bytes);
  }

  cudaError_t operator()(const CopyWork& work) {
    count(work);
    if (runtime.order.on())
      runtime.order.add({.kind = OrderedKind::copy,
                         .bytes = work.bytes(),
                         .from = work.staged ? "pageable" : kind_of(work.source),
                         .to = kind_of(work.destination)});
    if (work.bytes() == 0) return cudaSuccess;
    notice_cut_short(work.destination, work.bytes());
    notice_cut_short(work.source, work.bytes());
    if (is_too_much(std::max(work.source_span(), work.destination_span())))
      return leave_out(work.destination, work.destination_span());
    std::byte* to = view(work.destination, work.destination_span());
    const std::byte* from = view(work.source, work.source_span());
    if (to == nullptr || from == nullptr) {
      tell_freed("copy", to == nullptr ? "writes" : "reads",
                 to == nullptr ? work.destination : work.source);
      return cudaSuccess;
    }
    const bool defined = is_defined(work);
    for (std::size_t z = 0; z < work.depth; ++z) {
      for (std::size_t y = 0; y < work.height; ++y) {
        const std::size_t row = (z * work.destination_slice_rows + y) * work.destination_pitch;
        std::memmove(to + row, from + (z * work.source_slice_rows + y) * work.source_pitch,
                     work.width_bytes);
        note(&TouchedMemory::written, work.destination + row, work.width_bytes);
        if (!work.staged)
          note(&TouchedMemory::read,
               work.source + (z * work.source_slice_rows + y) * work.source_pitch,
               work.width_bytes);
        if (defined) mark_initialized(work.destination + row, work.width_bytes);
      }
    }
    return cudaSuccess;
  }

  /// A copy of memory that was never written leaves its destination as undefined as its source.
  bool is_defined(const CopyWork& work) {
    if (!runtime.has_device() || !memory().tracking()) return false;
    const auto source = reinterpret_cast<std::uint64_t>(work.source);
    if (!memory().in_arena(source)) return true;
    return memory().first_uninitialized(source, work.source_span()) != source;
  }

  void count(const CopyWork& work) {
    HostCounts& counts = runtime.counts;
    const auto add = [&](std::uint64_t& copies, std::uint64_t& bytes) {
      ++copies;
      bytes += work.bytes();
    };
    if (work.kind == cudaMemcpyHostToDevice || work.kind == cudaMemcpyDeviceToHost) {
      const Place host =
          place_of(work.kind == cudaMemcpyHostToDevice ? work.source : work.destination);
      if (host.side == Side::host && !host.pinned) ++counts.pageable_copies;
      counts.largest_host_copy_bytes = std::max(counts.largest_host_copy_bytes, work.bytes());
    }
    switch (work.kind) {
      case cudaMemcpyHostToDevice:
        return add(counts.host_to_device_copies, counts.host_to_device_bytes);
      case cudaMemcpyDeviceToHost:
        return add(counts.device_to_host_copies, counts.device_to_host_bytes);
      case cudaMemcpyDeviceToDevice:
        counts.sectors_beside_kernels += work.sectors();
        return add(counts.device_to_device_copies, counts.device_to_device_bytes);
      default:
        return add(counts.host_to_host_copies, counts.host_to_host_bytes);
    }
  }

  cudaError_t operator()(const MemsetWork& work) {
    ++runtime.counts.memsets;
    runtime.counts.memset_bytes += work.bytes();
    runtime.counts.sectors_beside_kernels += work.sectors();
    if (runtime.order.on())
      runtime.order.add(
          {.kind = OrderedKind::fill, .bytes = work.bytes(), .to = kind_of(work.destination)});
    if (work.bytes() == 0) return cudaSuccess;
    notice_cut_short(work.destination, work.bytes());
    if (is_too_much(work.span())) return leave_out(work.destination, work.span());
    std::byte* to = view(work.destination, work.span());
    if (to == nullptr) {
      tell_freed("memset", "writes", work.destination);
      return cudaSuccess;
    }
    for (std::size_t z = 0; z < work.depth; ++z) {
      for (std::size_t y = 0; y < work.height; ++y) {
        const std::size_t row = (z * work.slice_rows + y) * work.pitch;
        fill(to + row, work);
        note(&TouchedMemory::written, work.destination + row, work.width * work.element_bytes);
        if (!work.means_nothing)
          mark_initialized(work.destination + row, work.width * work.element_bytes);
      }
    }
    if (work.means_nothing)
      memory().mark_discarded(reinterpret_cast<std::uint64_t>(work.destination),
                              round_up(work.span(), 8));
    return cudaSuccess;
  }

  static void fill(std::byte* row, const MemsetWork& work) {
    if (work.element_bytes == 1) {
      std::memset(row, static_cast<int>(work.value & 0xff), work.width);
      return;
    }
    for (std::size_t x = 0; x < work.width; ++x) {
      std::memcpy(row + x * work.element_bytes, &work.value, work.element_bytes);  // little endian
    }
  }

  cudaError_t operator()(const HostWork& work) {
    const DefaultArithmetic arithmetic;  // on a GPU it has a thread of its own
    runtime.in_host_function = true;
    if (work.callback != nullptr) work.callback(work.stream, cudaSuccess, work.user_data);
    if (work.function != nullptr) work.function(work.user_data);
    runtime.in_host_function = false;
    return cudaSuccess;
  }

  cudaError_t operator()(const EventWork& work) {
    work.event->recorded = true;
    work.event->time = runtime.now();
    work.event->behind = work.behind;
    return cudaSuccess;
  }

  cudaError_t operator()(const WaitWork&) { return cudaSuccess; }  // Streams saw to the order

  cudaError_t operator()(const AllocateWork& work) {
    // It may have been freed meanwhile, on a stream that does not wait for this one.
    note(&TouchedMemory::written, reinterpret_cast<const void*>(work.address), work.bytes);
    return cudaSuccess;
  }

  cudaError_t operator()(const FreeWork& work) {
    const AllocationRecord* record = runtime.allocations.at(work.address);
    if (record != nullptr)
      runtime.order.add({.kind = OrderedKind::memory,
                         .name = "release",
                         .bytes = record->bytes,
                         .to = name_of(record->kind)});
    // A graph keeps its memory's addresses for its next launch, whoever frees it in between.
    if (record != nullptr && record->owned_by_graph) return cudaSuccess;
    if (record != nullptr)
      note(&TouchedMemory::written, reinterpret_cast<const void*>(work.address), record->bytes);
    runtime.allocations.remove(work.address);
    memory().release(work.address);
    return cudaSuccess;
  }

  cudaError_t operator()(const AssignWork& work) {
    for (const auto& [condition, value] : work.values) runtime.conditions.set(condition, value);
    return cudaSuccess;
  }

  cudaError_t operator()(const ConditionalWork& work) {
    BodyRuns runs(work);
    while (const auto body = runs.next())
      if (const cudaError_t code = (*this)(GraphWork{body}); code != cudaSuccess) return code;
    return cudaSuccess;
  }

  cudaError_t operator()(const GraphWork& work) {
    const std::vector<Work>& steps = work.program->steps;
    std::vector<std::optional<std::size_t>> front(steps.size());
    if (runtime.settings.checks == Checks::full) front = kernels_in_front(*work.program);
    std::map<std::size_t, KernelUses> watched;
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (front[i]) watched[*front[i]], watched[i];
    for (std::size_t i = 0; i < steps.size() && !runtime.errors.has_faulted(); ++i) {
      const auto asked = watched.find(i);
      uses = asked == watched.end() ? nullptr : &asked->second;
      if (const cudaError_t code = std::visit(*this, steps[i]); code != cudaSuccess) return code;
      if (!front[i]) continue;
      std::vector<EarlyKernel> row;
      for (auto at = front[i]; at && row.size() < most_overtaken; at = front[*at])
        row.push_back({&steps[*at], &watched[*at]});
      if (auto race = early_race({&steps[i], &watched[i]}, row)) runtime.add(std::move(*race));
    }
    return cudaSuccess;
  }
};

}  // namespace

cudaError_t execute(const Work& work, TouchedMemory* touched, KernelUses* uses) {
  return std::visit(Executor{.touched = touched, .uses = uses}, work);
}

}  // namespace klab::sim
