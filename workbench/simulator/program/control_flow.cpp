// Post-dominators and live ranges.
#include "simulator/program/control_flow.hpp"

#include <algorithm>

namespace klab::sim {

namespace {

// Blocks from which the end can be reached, in post-order of the reversed graph. Node `n` is the
// end.
std::vector<std::int32_t> reverse_post_order(
    const std::vector<std::vector<std::int32_t>>& predecessors, std::int32_t root) {
  std::vector<std::int32_t> order;
  std::vector<bool> seen(predecessors.size());
  struct Visit {
    std::int32_t node;
    std::size_t next;
  };
  std::vector<Visit> stack{{root, 0}};
  seen[root] = true;
  while (!stack.empty()) {
    Visit& top = stack.back();
    if (top.next == predecessors[top.node].size()) {
      order.push_back(top.node);
      stack.pop_back();
      continue;
    }
    const std::int32_t node = predecessors[top.node][top.next++];
    if (seen[node]) continue;
    seen[node] = true;
    stack.push_back({node, 0});
  }
  return order;
}

// A dense set of registers.
class Bits {
 public:
  explicit Bits(std::uint32_t size) : words_((size + 63) / 64) {}
  void set(std::uint32_t i) { words_[i / 64] |= 1ull << (i % 64); }
  bool test(std::uint32_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  // this = uses | (out & ~kills); true when it changed.
  bool update(const Bits& uses, const Bits& out, const Bits& kills) {
    bool changed = false;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::uint64_t value = uses.words_[i] | (out.words_[i] & ~kills.words_[i]);
      changed |= value != words_[i];
      words_[i] = value;
    }
    return changed;
  }
  void add(const Bits& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  template <class F>
  void for_each(F&& act) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t word = words_[i]; word != 0; word &= word - 1)
        act(static_cast<std::uint32_t>(i * 64 + __builtin_ctzll(word)));
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace

std::vector<std::int32_t> immediate_post_dominators(const FlowGraph& graph) {
  const auto end = static_cast<std::int32_t>(graph.successors.size());
  std::vector<std::vector<std::int32_t>> predecessors(end + 1);
  for (std::int32_t block = 0; block < end; ++block)
    for (const std::int32_t next : graph.successors[block])
      predecessors[next < 0 ? end : next].push_back(block);
  const auto order = reverse_post_order(predecessors, end);
  std::vector<std::int32_t> number(end + 1, -1), dominator(end + 1, -1);
  for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = static_cast<std::int32_t>(i);
  dominator[end] = end;
  const auto meet = [&](std::int32_t a, std::int32_t b) {
    while (a != b) {
      while (number[a] < number[b]) a = dominator[a];
      while (number[b] < number[a]) b = dominator[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      if (*it == end) continue;
      std::int32_t found = -1;
      for (std::int32_t next : graph.successors[*it]) {
        if (next < 0) next = end;
        if (number[next] < 0 || dominator[next] < 0) continue;
        found = found < 0 ? next : meet(next, found);
      }
      changed |= found != dominator[*it];
      dominator[*it] = found;
    }
  }
  dominator.resize(end);
  for (std::int32_t& block : dominator)
    if (block == end) block = -1;
  return dominator;
}

std::vector<LiveRange> live_ranges(const FlowGraph& graph, const std::vector<BlockUses>& blocks,
                                   std::uint32_t registers) {
  const std::size_t count = blocks.size();
  std::vector<Bits> reads(count, Bits(registers)), kills(count, Bits(registers)),
      in(count, Bits(registers)), out(count, Bits(registers));
  std::vector<LiveRange> ranges(registers);
  const auto extend = [&](std::uint32_t reg, std::uint32_t position) {
    ranges[reg].first = std::min(ranges[reg].first, position);
    ranges[reg].last = std::max(ranges[reg].last, position);
  };
  for (std::size_t b = 0; b < count; ++b) {
    for (const RegisterUse& use : blocks[b].uses) {
      extend(use.reg, use.position);
      if (kills[b].test(use.reg)) continue;
      if (!use.writes || use.may_keep) reads[b].set(use.reg);
      if (use.writes && !use.may_keep) kills[b].set(use.reg);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = count; b-- > 0;) {
      for (const std::int32_t next : graph.successors[b])
        if (next >= 0) out[b].add(in[next]);
      changed |= in[b].update(reads[b], out[b], kills[b]);
    }
  }
  for (std::size_t b = 0; b < count; ++b) {
    in[b].for_each([&](std::uint32_t reg) { extend(reg, blocks[b].first); });
    out[b].for_each([&](std::uint32_t reg) { extend(reg, blocks[b].last); });
  }
  if (count > 0) in[0].for_each([&](std::uint32_t reg) { ranges[reg].unset = true; });
  return ranges;
}

}  // namespace klab::sim
