// Fences, traps, pauses, and the calls that the CUDA runtime answers: printf and assert.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/conditions.hpp"
#include "simulator/execute/execution.hpp"
#include "simulator/opcodes/access/memory_access.hpp"
#include "simulator/opcodes/lanes.hpp"
#include "simulator/opcodes/system/device_heap.hpp"
#include "simulator/opcodes/system/device_printf.hpp"

namespace klab::sim {

namespace {

void run_nothing(Warp&, const Inst&) {}
bool select_nothing(Encoder& e) {
  e.handlers(run_nothing);
  return true;
}

// Kernels run one after the other here: for the checker alone.
void run_wait_for_kernel(Warp& warp, const Inst&) {
  if (warp.checker != nullptr) warp.checker->wait_for_kernel(warp);
}
void run_let_kernel_begin(Warp& warp, const Inst&) {
  if (warp.checker != nullptr) warp.checker->let_kernel_begin(warp);
}
bool select_griddepcontrol(Encoder& e) {
  e.handlers(e.has("wait") ? run_wait_for_kernel : run_let_kernel_begin);
  return true;
}

// Memory is sequentially consistent here, so fences are for the checker alone: those between
// ordinary accesses and those of bulk copies, and those that reach beyond the block.
void run_proxy_fence(Warp& warp, const Inst&) {
  if (warp.checker != nullptr) warp.checker->fence_from_copies(warp);
}
void run_fence(Warp& warp, const Inst&) {
  if (warp.checker != nullptr) warp.checker->fence_between_blocks(warp);
}
void run_block_fence(Warp& warp, const Inst&) {
  if (warp.checker != nullptr) warp.checker->fence_between_warps(warp, warp.mask);
}
bool select_fence(Encoder& e) {
  const bool of_proxy = e.has("proxy"), of_block = e.has("cta") || e.has("cluster");
  const bool of_copies = of_proxy && e.has("async") && !e.has("global");
  e.handlers(of_copies  ? run_proxy_fence
             : of_proxy ? run_nothing
             : of_block ? run_block_fence
                        : run_fence);
  return true;
}

void run_pause(Warp& warp, const Inst&) { note_poll(warp); }
bool select_nanosleep(Encoder& e) {
  e.handlers(run_pause);
  return true;
}

void run_trap(Warp& warp, const Inst& inst) {
  const bool has_no_barrier =
      warp.launch->program->asks_for_grid_barrier && warp.launch->grid_workspace == 0;
  raise_fault(warp, inst, FaultCode::trap,
              has_no_barrier
                  ? "The kernel executed a trap instruction, as grid.sync() does in an ordinary "
                    "launch: launch the kernel with cudaLaunchCooperativeKernel, so that all of "
                    "its blocks run at once."
                  : "The kernel executed a trap instruction (__trap, or a failed check in a "
                    "library).");
}
bool select_trap(Encoder& e) {
  e.handlers(run_trap);
  return true;
}

// Byte of any generic address, as one lane sees it.
ReadByte reader(Warp& warp, u32 lane) {
  return [&warp, lane](u64 address) -> std::optional<char> {
    switch (window_of(address)) {
      case Window::local: {
        const u64 offset = address - local_window;
        if (offset >= warp.local_bytes) return std::nullopt;
        return static_cast<char>(*local_byte(warp.local, lane, offset));
      }
      case Window::shared: {
        const u64 offset = address - shared_window;
        if (offset >= warp.shared_bytes) return std::nullopt;
        return static_cast<char>(warp.shared[offset]);
      }
      case Window::parameter:
        return std::nullopt;
      case Window::global:
        break;
    }
    const std::byte* byte = warp.launch->memory->host_view(address, 1);
    if (byte == nullptr) return std::nullopt;
    return static_cast<char>(*byte);
  };
}

// int vprintf(const char* format, void* arguments). Unlike C's it returns how many arguments the
// format took, and -1 without a format.
void run_vprintf(Warp& warp, const Inst& inst) {
  for_each_lane(warp.mask, [&](u32 lane) {
    const ReadByte read = reader(warp, lane);
    const u64 format = call_argument(warp, inst.op[1], lane, 8);
    Printed printed{.arguments = -1};
    if (format != 0) {
      printed =
          format_text(read_text(read, format), read, call_argument(warp, inst.op[2], lane, 8));
      warp.launch->printed->add(std::move(printed.text));
    }
    if (inst.op[0] != none)
      std::memcpy(local_byte(warp.frame + inst.op[0], lane, 0), &printed.arguments, 4);
  });
}

// void __assertfail(message, file, unsigned line, function, size_t character_size)
void run_assertfail(Warp& warp, const Inst& inst) {
  const auto lane = static_cast<u32>(std::countr_zero(warp.mask));
  const ReadByte read = reader(warp, lane);
  const std::string message = read_text(read, call_argument(warp, inst.op[1], lane, 8));
  const std::string file = read_text(read, call_argument(warp, inst.op[2], lane, 8));
  const std::string function = read_text(read, call_argument(warp, inst.op[4], lane, 8));
  const std::string text = fmt::format("assertion '{}' failed in {}, {} line {}", message, function,
                                       file, call_argument(warp, inst.op[3], lane, 4));
  note_finding(warp, inst, FindingKind::assertion, lane, text);
  raise_fault(warp, inst, FaultCode::assertion, fmt::format("The {}.", text));
}

// void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value)
void run_set_conditional(Warp& warp, const Inst& inst) {
  Conditions* conditions = warp.launch->limits.conditions;
  for_each_lane(warp.mask, [&](u32 lane) {
    const u64 handle = call_argument(warp, inst.op[1], lane, 8);
    const auto value = static_cast<u32>(call_argument(warp, inst.op[2], lane, 4));
    if (warp.stop || (conditions != nullptr && conditions->set(handle, value))) return;
    raise_fault(warp, inst, FaultCode::trap,
                "cudaGraphSetConditional was given a handle that no graph has. Pass the one from "
                "cudaGraphConditionalHandleCreate.");
  });
}

// A function that the CUDA runtime provides: its parameters in bytes, op[0] being the result.
struct Provided {
  std::string_view name;
  Handler handler;
  std::array<u32, 5> parameters;  // 0: there is none
};

constexpr std::array<Provided, 5> provided{{
    {"vprintf", run_vprintf, {8, 8}},
    {"__assertfail", run_assertfail, {8, 8, 4, 8, 8}},
    {"malloc", run_malloc, {8}},
    {"free", run_free, {8}},
    {"cudaGraphSetConditional", run_set_conditional, {8, 4}},
}};

bool select_call(Encoder& e) {
  std::string_view name;
  const ptx::Operand *results = nullptr, *arguments = nullptr;
  for (const ptx::Operand& operand : e.in.operands) {
    if (operand.kind == ptx::Operand::Kind::name) name = operand.name;
    if (operand.kind == ptx::Operand::Kind::list) (name.empty() ? results : arguments) = &operand;
  }
  const auto called = std::find_if(provided.begin(), provided.end(),
                                   [&](const Provided& entry) { return entry.name == name; });
  if (called == provided.end() || arguments == nullptr) return false;
  const auto expected = static_cast<std::size_t>(std::count_if(
      called->parameters.begin(), called->parameters.end(), [](u32 bytes) { return bytes != 0; }));
  if (arguments->elements.size() != expected)
    return e.fail("A call has the wrong number of parameters.");
  for (std::size_t i = 0; i < expected; ++i) {
    const ParamArea* area = e.param_area(arguments->elements[i]);
    if (area == nullptr || area->bytes < called->parameters[i])
      return e.fail("A call's parameter is not declared.");
    if (i < 4) e.out.op[1 + i] = area->slot;
  }
  if (results != nullptr && results->elements.size() == 1) {
    const ParamArea* area = e.param_area(results->elements[0]);
    const u32 least = name == "malloc" ? 8 : 4;
    if (area == nullptr || area->bytes < least) return e.fail("A call's result is not declared.");
    e.out.op[0] = area->slot;
  }
  e.handlers(called->handler);
  return true;
}

constexpr std::array<Opcode, 9> table{{
    {"membar", select_fence, "all scopes (memory is sequentially consistent)"},
    {"fence", select_fence, "all scopes"},
    {"nanosleep", select_nanosleep, ".u32; gives other threads a turn"},
    {"trap", select_trap, "ends the kernel"},
    {"brkpt", select_trap, "ends the kernel"},
    {"pmevent", select_nothing, "no effect"},
    {"griddepcontrol", select_griddepcontrol, "no effect but on checks (launches don't overlap)"},
    {"setmaxnreg", select_nothing, "no effect"},
    {"call", select_call, "vprintf, __assertfail, malloc, free, cudaGraphSetConditional"},
}};

}  // namespace

u64 call_argument(Warp& warp, u32 area, u32 lane, u32 bytes) {
  u64 value = 0;
  for (u32 done = 0; done < bytes; done += 4)
    std::memcpy(reinterpret_cast<std::byte*>(&value) + done,
                local_byte(warp.frame + area, lane, done), 4);
  return value;
}

std::span<const Opcode> system_opcodes() { return table; }

}  // namespace klab::sim
