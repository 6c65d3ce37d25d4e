// Held, delivered, launched, captured: and how a wrong result is described.
#include "runner/phases/trial.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "runner/device/cuda_check.hpp"
#include "runner/device/nvtx_range.hpp"
#include "runner/phases/launch.hpp"
#include "runner/phases/platform.hpp"
#include "runner/workload/random.cuh"

namespace klab::runner {
namespace {

using Clock = std::chrono::steady_clock;

/// Buffers of a row of launches together: what a batch of short kernels needs is far below.
constexpr double most_bytes = 2e9;
/// How long work on a stream of its own gets to show itself while the given stream is held.
constexpr std::chrono::microseconds time_to_stray{200};

std::size_t bytes_of(const Workload& workload, const Size& size) {
  std::size_t bytes = 0;
  for (const BufferSpec& spec : workload.buffers(size)) bytes += spec.count * spec.element_bytes;
  return bytes;
}

void describe_wrong_value(record::Verified& verified, const Mismatch& mismatch,
                          const ProblemMemory& memory) {
  describe_values(verified, mismatch, memory.specs().at(mismatch.buffer).name);
  if (memory.is_unwritten({mismatch.buffer, mismatch.index})) {
    verified.problem = ResultProblem::not_written;
    verified.got.reset();
    verified.got_text = "the poison written before the launch";
  }
}

/// As the kernel file knows them.
void tell_buffers(const ProblemMemory& memory) {
  const Problem problem = memory.working();
  for (std::size_t i = 0; i < problem.buffers.size(); ++i)
    name_memory(problem.buffers[i], "args." + memory.specs()[i].name);
  // The contract promises nothing of what lies there: a mark may be just what is hoped for.
  for (std::size_t i = 0; i < problem.buffers.size(); ++i)
    if (const BufferSpec& spec = memory.specs()[i];
        spec.role == Role::scratch && spec.memory == Memory::device)
      mark_scratch(problem.buffers[i]);
}

void describe_place(record::Verified& verified, ResultProblem problem, const ProblemMemory& memory,
                    BufferPlace place) {
  verified.problem = problem;
  verified.buffer = memory.specs()[place.buffer].name;
  verified.index = place.index;
  verified.total = static_cast<std::int64_t>(memory.specs()[place.buffer].count);
}

}  // namespace

Stream make_given_stream() {
  // The simulator's waits for no default stream, so that work there shows as what it is: not where
  // it was asked for. On a GPU the references' own work is on the default stream.
  return make_stream(is_simulated() ? cudaStreamNonBlocking : cudaStreamDefault);
}

void describe_values(record::Verified& verified, const Mismatch& mismatch,
                     const std::string& buffer) {
  verified.problem = ResultProblem::wrong_value;
  verified.wrong = mismatch.wrong;
  verified.total = mismatch.total;
  verified.buffer = buffer;
  verified.index = mismatch.index;
  if (std::isfinite(mismatch.want)) {
    verified.want = mismatch.want;
    verified.tolerance = mismatch.tolerance;
  } else {
    verified.problem =
        std::isnan(mismatch.want) ? ResultProblem::nan_missing : ResultProblem::infinity_missing;
  }
  if (mismatch.got == 0 && mismatch.want == 0)
    verified.got_text = record::zero_of_other_sign;
  else if (std::isfinite(mismatch.got))
    verified.got = mismatch.got;
  else
    verified.got_text = std::isnan(mismatch.got) ? "nan" : mismatch.got > 0 ? "inf" : "-inf";
}

std::uint64_t derived_seed(std::uint64_t seed, const Size& size, std::uint64_t turn) {
  // FNV-1a over the words, so that no two sizes or turns share inputs.
  std::uint64_t value = 0xcbf29ce484222325ull;
  const auto mix = [&](std::uint64_t word) { value = (value ^ word) * 0x100000001b3ull; };
  mix(seed);
  for (const std::int64_t extent : size) mix(static_cast<std::uint64_t>(extent));
  mix(turn);
  return value ^ (value >> 32);
}

void reset_devices(PhaseSetup& setup) {
  if (setup.second) reset_device_state(setup.second->number(), setup.second->stream());
  reset_device_state(setup.device, setup.stream.get());
}

Trial::Trial(PhaseSetup& setup, const Size& size, Where where, int launches, std::size_t guard)
    : setup_(setup), size_(size), start_(make_event()), stop_(make_event()) {
  const double bytes = std::max<double>(1, 4.0 * bytes_of(*setup.workload, size));
  const int most = std::max(1, static_cast<int>(std::min(most_bytes / bytes, 1e6)));
  for (int i = 0; i < std::min(launches, most); ++i) add_part(size, where, guard);
  name_stream(setup.stream.get(), "the given stream");
}

Trial::Trial(PhaseSetup& setup, const std::vector<Size>& row, Where where)
    : setup_(setup), size_(row.front()), start_(make_event()), stop_(make_event()) {
  for (const Size& size : row) add_part(size, where, guard_around_buffers());
  name_stream(setup.stream.get(), "the given stream");
}

Trial::Trial(PhaseSetup& setup, const Size& size, Where where, const Trial& room)
    : setup_(setup), size_(size), start_(make_event()), stop_(make_event()) {
  auto workload = load_workload(setup.request.workload);
  ProblemMemory memory(*workload, size, where, room.parts_.front().memory);
  add_part(std::move(workload), std::move(memory));
  name_stream(setup.stream.get(), "the given stream");
}

void Trial::add_part(const Size& size, Where where, std::size_t guard) {
  auto workload = load_workload(setup_.request.workload);
  ProblemMemory memory(*workload, size, where, guard, setup_.second_device());
  add_part(std::move(workload), std::move(memory));
}

void Trial::add_part(std::unique_ptr<Workload> workload, ProblemMemory memory) {
  parts_.push_back({std::move(workload), std::move(memory), nullptr, {}});
  tell_buffers(parts_.back().memory);
}

void Trial::move(std::size_t buffer) {
  for (Part& part : parts_) {
    part.memory.move(buffer);
    tell_buffers(part.memory);
  }
}

bool Trial::exchange(std::size_t one, std::size_t other) {
  const bool exchanged = std::all_of(parts_.begin(), parts_.end(),
                                     [&](Part& part) { return part.memory.exchange(one, other); });
  for (const Part& part : parts_) tell_buffers(part.memory);
  return exchanged;
}

std::vector<DeviceEdge*> Trial::edges() {
  std::vector<DeviceEdge*> all;
  for (Part& part : parts_)
    for (DeviceEdge* edge : part.memory.edges()) all.push_back(edge);
  return all;
}

void Trial::prepare(const Plugin& plugin, std::uint64_t seed, bool unusual,
                    std::optional<std::size_t> changed) {
  const cudaStream_t stream = setup_.stream.get();
  wait_for_device(setup_, plugin);
  reset_devices(setup_);
  setup_.at_hand = size_;
  std::uint64_t number = 0;
  for (Part& part : parts_) {
    part.early.reset();
    part.memory.fill(*part.workload, number == 0 ? seed : hash(seed, number), unusual, changed);
    ++number;
    part.memory.prepare(stream);
    part.args = part.workload->bind(part.memory.working());
  }
}

std::optional<double> Trial::run(const Plugin& plugin) {
  const bool held = !is_simulated() && setup_.request.timing == TimingMode::device;
  const auto seconds = held ? run_held(plugin) : run_waiting(plugin);
  if (!seconds) return std::nullopt;
  return *seconds / launches();
}

void Trial::deliver(const Plugin& plugin) {
  for (Part& part : parts_) part.memory.deliver(setup_.stream.get(), false);
  if (setup_.cold) setup_.cold->flush(setup_.stream.get());
  if (setup_.second) setup_.second->flush();
  wait_for_device(setup_, plugin);
}

void Trial::launch(const Plugin& plugin) {
  const NvtxRange range("launch", plugin.variant());
  for (const Part& part : parts_) {
    klab::runner::launch(setup_, plugin, part.args);
    part.workload->unbind();  // as Args on a caller's stack, which go with its function
  }
  if (setup_.second) join_second(plugin);
}

void Trial::launch_again(const Plugin& plugin) {
  for (Part& part : parts_) part.args = part.workload->bind(part.memory.working());
  launch(plugin);
}

/// The simulator runs first what is waited for first: in turns the one device's work and the other
/// one's, so that an order which the kernel file did not ask for is missed.
void Trial::join_second(const Plugin& plugin) {
  second_first_ = !second_first_;
  if (is_simulated() && setup_.request.phase == Phase::verify && second_first_)
    wait_for_second_stream(setup_, plugin);
  setup_.second->join(setup_.stream.get());
}

void Trial::capture(const Plugin& plugin) {
  name_work("the work behind this launch, on the given stream,");
  for (Part& part : parts_) part.memory.capture(setup_.stream.get());
  name_work({});
  wait_for_stream(setup_, plugin);
  for (Part& part : parts_) part.memory.capture_pageable();
  wait_for_device(setup_, plugin);
}

std::optional<double> Trial::run_held(const Plugin& plugin) {
  const cudaStream_t stream = setup_.stream.get();
  const SecondDevice* second = setup_.second_device();
  setup_.hold.begin(stream);
  if (second) second->follow(stream);  // and so is held as well
  for (Part& part : parts_) part.memory.deliver(stream, true);
  setup_.cold->flush(stream);
  if (second) second->flush();
  for (Part& part : parts_) part.memory.complete(stream);
  // The clock runs on the first device from when both are ready until both are done.
  if (second) second->join(stream);
  check_cuda(cudaEventRecord(start_.get(), stream));
  if (second) second->follow(stream);
  launch(plugin);
  check_cuda(cudaEventRecord(stop_.get(), stream));
  for (Part& part : parts_) part.memory.capture(stream);
  look_beside();
  setup_.hold.release();
  wait_for_stream(setup_, plugin);
  for (Part& part : parts_) part.memory.capture_pageable();
  // The whole device, so that nothing of this launch runs into the next.
  wait_for_device(setup_, plugin);
  float milliseconds = 0;
  check_cuda(cudaEventElapsedTime(&milliseconds, start_.get(), stop_.get()));
  return milliseconds * 1e-3;
}

/// Work of the kernel file's own streams, or of the default stream, comes behind what is under way
/// in the given one. The simulator sees where nothing says so.
void Trial::use_before() {
  name_work("the work before this launch, on the given stream,");
  for (Part& part : parts_) part.memory.use_before(setup_.stream.get());
  name_work({});
}

std::optional<double> Trial::run_waiting(const Plugin& plugin) {
  deliver(plugin);
  // Host code that measures writes what it reports at once.
  if (is_simulated() && jobs() == nullptr) use_before();
  const Clock::time_point began = Clock::now();
  launch(plugin);
  if (is_simulated()) {
    capture(plugin);
    return std::nullopt;
  }
  wait_for_device(setup_, plugin);
  const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
  capture(plugin);
  return seconds;
}

/// A launch that itself waits for the device outlasts the hold, and nothing is learnt.
void Trial::look_beside() {
  if (!setup_.hold.is_holding()) return;
  std::this_thread::sleep_for(time_to_stray);
  for (Part& part : parts_) {
    part.early = part.memory.touched_output(setup_.hold.beside());
    if (!setup_.hold.is_holding()) {
      part.early.reset();
      return;
    }
  }
}

record::Verified Trial::verify(const Plugin& plugin) {
  const NvtxRange range("verify", plugin.variant());
  record::Verified verified;
  for (Part& part : parts_) {
    verified = verify(plugin, part);
    if (!verified.correct) break;
  }
  return verified;
}

record::Verified Trial::verify(const Plugin& plugin, Part& part) const {
  ProblemMemory& memory = part.memory;
  record::Verified verified;
  verified.variant = plugin.variant();
  verified.size = memory.size();
  verified.seed = setup_.request.seed;
  if (part.early)
    describe_place(verified, ResultProblem::unjoined_stream, memory, *part.early);
  else if (const auto late = memory.changed_since_capture())
    describe_place(verified, ResultProblem::unjoined_stream, memory, *late);
  else if (const auto guard = memory.damaged_guard())
    describe_place(verified, ResultProblem::guard_overwritten, memory, *guard);
  else if (const auto former = memory.written_former())
    describe_place(verified, ResultProblem::former_overwritten, memory, *former);
  else if (const auto input = memory.changed_input())
    describe_place(verified, ResultProblem::input_changed, memory, *input);
  else if (const Mismatch mismatch = memory.compare(*part.workload); mismatch.wrong > 0)
    describe_wrong_value(verified, mismatch, memory);
  else
    verified.total = mismatch.total;
  verified.correct = verified.problem == ResultProblem::none;
  if (setup_.request.digest_results) verified.digest = memory.result_digest();
  return verified;
}

}  // namespace klab::runner
