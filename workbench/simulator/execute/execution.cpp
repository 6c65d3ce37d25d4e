// Faults and findings of a running launch; the memory of its blocks.
#include "simulator/execute/execution.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <utility>

#include "simulator/execute/checks/checker.hpp"

namespace klab::sim {

namespace {

constexpr std::size_t most_findings = 100;

bool says_as_much(const Finding& known, const Finding& finding) {
  return replaces(known, finding) ||
         (known.kind == finding.kind && known.where.line == finding.where.line &&
          known.where.file == finding.where.file);
}

/// As a reader of a finding is told.
const char* space_name(ptx::Space space) {
  switch (space) {
    case ptx::Space::global:
      return "global";
    case ptx::Space::constant:
      return "constant";
    case ptx::Space::shared:
      return "shared";
    case ptx::Space::local:
      return "local";
    case ptx::Space::param:
      return "parameter";
    case ptx::Space::generic:
      break;
  }
  return "generic";
}

}  // namespace

ThreadLocation thread_of(const Warp& warp, std::uint32_t lane) {
  const Dim3 &block = warp.block->index, &size = warp.launch->config.block;
  const std::uint32_t thread = warp.index * lane_count + lane;
  return {{block.x, block.y, block.z},
          {thread % size.x, thread / size.x % size.y, thread / size.x / size.y}};
}

// Of code without lines, that of the call into it; of a function of the toolkit's, too, which
// builds for debugging call where others inline it.
static std::uint32_t number_of_place(const Warp& warp, std::uint32_t location) {
  const SourceLocation& own = warp.launch->program->locations[location];
  if (own.line == 0) return warp.called_from;
  return own.of_toolkit && warp.called_from != 0 ? warp.called_from : location;
}

std::uint32_t location_of(const Warp& warp, const Inst& inst) {
  const Program& program = *warp.launch->program;
  return number_of_place(
      warp, program.code_location[static_cast<std::size_t>(&inst - program.code.data())]);
}

bool is_of_cub(const Warp& warp, const Inst& inst) {
  const Program& program = *warp.launch->program;
  return warp.launch->info->is_of_cub ||
         program.code_of_cub[static_cast<std::size_t>(&inst - program.code.data())];
}

CopyRole copy_role(const Warp& warp, const Inst& inst) {
  const Program& program = *warp.launch->program;
  return program.code_copies[static_cast<std::size_t>(&inst - program.code.data())];
}

const SourceLocation& place_of(const Warp& warp, std::uint32_t location) {
  return warp.launch->program->locations[number_of_place(warp, location)];
}

void LaunchState::fail(FaultCode code, std::string message, std::optional<Unsupported> lacking) {
  const std::lock_guard lock(mutex);
  if (!fault) fault = Fault{code, std::move(message), std::move(lacking)};
  stop.store(true, std::memory_order_relaxed);
}

void LaunchState::add_touched(const TouchedMemory& more) {
  const std::lock_guard lock(mutex);
  touched.add(more);
}

bool LaunchState::is_known(const Finding& finding) {
  const std::lock_guard lock(mutex);
  for (const Finding& known : findings) {
    if (replaces(finding, known)) return false;
    if (says_as_much(known, finding)) return true;
  }
  return findings.size() >= most_findings;
}

void LaunchState::note_full_heap(const SourceLocation& where, std::uint64_t bytes) {
  const std::lock_guard lock(mutex);
  if (!full_heap) full_heap = FullHeap{where, bytes};
}

std::string LaunchState::likely_cause(std::uint64_t address) {
  constexpr std::uint64_t near_null = 1 << 16;
  const std::lock_guard lock(mutex);
  if (full_heap && address < near_null)
    return fmt::format(
        "; malloc(){} returned null, since {} did not fit what was left of the heap of kernels, "
        "which holds {}: look at what it returns, and give it more room in front of the first "
        "launch (cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes)) or allocate on the host",
        at_line(full_heap->where), counted(full_heap->bytes, "byte"),
        counted(memory->heap_limit_bytes(), "byte"));
  for (const Finding& known : findings)
    if (known.where.line != 0 && (known.kind == FindingKind::uninitialized_read ||
                                  known.kind == FindingKind::uninitialized_shared))
      return fmt::format("; what line {} reads, which nothing has written, is the likely cause",
                         known.where.line);
  return {};
}

void LaunchState::add_uses(const KernelUses& more) {
  const std::lock_guard lock(mutex);
  uses.add(more);
}

void LaunchState::add_finding(Finding finding) {
  const std::lock_guard lock(mutex);
  for (Finding& known : findings) {
    if (replaces(finding, known)) {
      known = std::move(finding);
      return;
    }
    if (says_as_much(known, finding)) return;
  }
  if (findings.size() < most_findings) findings.push_back(std::move(finding));
}

void raise_fault(Warp& warp, const Inst& inst, FaultCode code, const std::string& message) {
  warp.stop = true;
  const SourceLocation& where = place_of(warp, location_of(warp, inst));
  warp.launch->fail(code, fmt::format("{} ({})", message, describe_place(where)));
}

void run_unsupported(Warp& warp, const Inst& inst) {
  if (std::exchange(warp.stop, true)) return;
  Unsupported what = warp.launch->info->unsupported[static_cast<std::size_t>(inst.imm)];
  const SourceLocation& where = place_of(warp, location_of(warp, inst));
  what.file = where.file;
  what.line = where.line;
  const std::string place =
      what.line == 0 ? std::string() : fmt::format("{}:{}: ", what.file, what.line);
  warp.launch->fail(
      FaultCode::unsupported,
      fmt::format("{}kernel {} uses {}, which the simulator does not have; this kernel needs a "
                  "GPU, or another way to do the same.{}",
                  place, warp.launch->program->kernel_name, what.opcode,
                  place.empty() ? " Built with -lineinfo, it says where." : ""),
      what);
}

// What follows from where it lies, as the end of its sentence.
static std::string consequence(LaunchState& launch, const Finding& finding, std::uint32_t bytes) {
  if (finding.kind == FindingKind::out_of_bounds) return launch.likely_cause(*finding.address);
  if (finding.kind != FindingKind::misaligned) return {};
  return fmt::format(
      "; that is {} behind a multiple of {}, and a GPU ends the launch there with "
      "cudaErrorMisalignedAddress",
      counted(*finding.address % bytes, "byte"), bytes);
}

void raise_memory_fault(Warp& warp, const Inst& inst, std::uint32_t lane, std::uint64_t address,
                        std::uint32_t bytes, AccessKind kind, ptx::Space space, bool misaligned) {
  // What follows in the block of an instruction that stopped the warp works on values it left out.
  if (warp.stop) return;
  LaunchState& launch = *warp.launch;
  Finding finding;
  finding.kernel = launch.program->kernel_name;
  finding.where = place_of(warp, location_of(warp, inst));
  finding.thread = thread_of(warp, lane);
  finding.address = address;
  finding.kind = misaligned ? FindingKind::misaligned : FindingKind::out_of_bounds;
  const bool global = space == ptx::Space::global;
  if (global) {
    const Allocation* found = launch.memory->find(address);
    if (!misaligned && found != nullptr && found->freed) finding.kind = FindingKind::use_after_free;
    finding.allocation = launch.memory->describe(address, misaligned ? 1 : bytes);
  } else if (space == ptx::Space::shared) {
    finding.allocation =
        fmt::format("the block's {} of shared memory", counted(warp.shared_bytes, "byte"));
  } else if (space == ptx::Space::local) {
    finding.allocation =
        fmt::format("the thread's {} of local memory", counted(warp.local_bytes, "byte"));
  }
  const char* verb = kind == AccessKind::load    ? "read"
                     : kind == AccessKind::store ? "write"
                                                 : "atomic operation";
  const char* what = finding.kind == FindingKind::misaligned       ? "misaligned"
                     : finding.kind == FindingKind::use_after_free ? "use of freed memory: "
                                                                   : "out-of-bounds";
  finding.message =
      fmt::format("{}{}{} {} of {} at {:#x} by {}{}{}{}", what,
                  finding.kind == FindingKind::use_after_free ? "" : " ", space_name(space), verb,
                  counted(bytes, "byte"), address, describe_thread(*finding.thread),
                  finding.allocation.empty() ? "" : ", ", finding.allocation,
                  consequence(launch, finding, bytes));
  const std::string message = fmt::format("{}: {}", finding.kernel, finding.message);
  warp.launch->add_finding(std::move(finding));
  raise_fault(warp, inst, misaligned ? FaultCode::misaligned_address : FaultCode::illegal_address,
              message);
}

bool is_news(const Warp& warp, std::uint32_t location, FindingKind kind) {
  if (warp.stop) return false;
  if (warp.checker != nullptr && !warp.checker->is_first(number_of_place(warp, location), kind))
    return false;
  Finding finding;
  finding.kind = kind;
  finding.kernel = warp.launch->program->kernel_name;
  finding.where = place_of(warp, location);
  return !warp.launch->is_known(finding);
}

void add_finding(Warp& warp, std::uint32_t location, FindingKind kind, std::uint32_t lane,
                 const std::string& message) {
  Finding finding;
  finding.kind = kind;
  finding.kernel = warp.launch->program->kernel_name;
  finding.where = place_of(warp, location);
  finding.thread = thread_of(warp, lane);
  finding.message = fmt::format("{} ({})", message, describe_thread(*finding.thread));
  warp.launch->add_finding(std::move(finding));
}

void note_ended_block(Warp& warp, std::uint32_t location, std::uint32_t lane) {
  note_finding_at(warp, location, FindingKind::block_race, lane,
                  "use of another block's shared memory, and that block does not wait until all "
                  "have done with it: once it has ended, its shared memory is another's. Let all "
                  "blocks of the cluster meet behind the last use (cluster.sync())");
}

HostPages::HostPages(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages != MAP_FAILED) data_ = static_cast<std::byte*>(pages);
}

HostPages::~HostPages() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

HostPages::HostPages(HostPages&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

HostPages& HostPages::operator=(HostPages&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

BlockState::BlockState() = default;
BlockState::~BlockState() = default;

WorkerState& KernelState::worker(unsigned index) {
  while (workers.size() <= index) {
    auto worker = std::make_unique<WorkerState>();
    worker->blocks.resize(program.blocks.size());
    worker->sites.resize(program.sites.size());
    worker->patterns.resize(program.sites.size());
    worker->divergent.resize(program.blocks.size());
    workers.push_back(std::move(worker));
  }
  return *workers[index];
}

void KernelState::forget_allocations() {
  for (const auto& worker : workers)
    for (Pattern& pattern : worker->patterns) pattern.base = 1, pattern.end = 0;
}

}  // namespace klab::sim
