// Random programs with branches and loops, run by warps and by a scalar reference.
#include <random>

#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace property_tests {
namespace {

using u32 = std::uint32_t;
constexpr int variables = 6;

// Writes PTX while evaluating nothing; the same tree is then interpreted per thread.
struct Node {
  enum class Kind { assign, branch, loop } kind = Kind::assign;
  int op = 0, to = 0, a = 0, b = 0;
  u32 constant = 0;
  std::vector<Node> body, other;
};

class Program {
 public:
  explicit Program(unsigned seed) : random_(seed) { body_ = block(0, 6); }

  std::string ptx() {
    text_ =
        ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry random(.param .u64 "
        "out)\n{\n.reg .pred p<400>;\n.reg .b32 v<6>, c<400>, t<9>;\n.reg .b64 at, base;\n"
        "mov.u32 t0, %ctaid.x;\nmov.u32 t1, %ntid.x;\nmul.lo.u32 t0, t0, t1;\nmov.u32 t1, "
        "%tid.x;\nadd.u32 t0, t0, t1;\n";
    for (int i = 0; i < variables; ++i)
      text_ += fmt::format("mul.lo.u32 v{0}, t0, {1};\nadd.u32 v{0}, v{0}, {0};\n", i,
                           2654435761u * (i + 1));
    emit(body_);
    text_ += "mov.u32 t2, 0;\n";
    for (int i = 0; i < variables; ++i)
      text_ += fmt::format("mul.lo.u32 t2, t2, 31;\nadd.u32 t2, t2, v{};\n", i);
    text_ +=
        "ld.param.u64 base, [out];\nmul.wide.u32 at, t0, 4;\nadd.u64 at, at, base;\nst.global.u32 "
        "[at], t2;\nret;\n}\n";
    return text_;
  }

  u32 evaluate(u32 thread) const {
    u32 v[variables];
    for (int i = 0; i < variables; ++i) v[i] = thread * (2654435761u * (i + 1)) + i;
    run(body_, v);
    u32 out = 0;
    for (const u32 value : v) out = out * 31 + value;
    return out;
  }

 private:
  std::vector<Node> block(int depth, int size) {
    std::vector<Node> out;
    for (int i = 0; i < size; ++i) {
      Node node;
      node.to = pick(variables), node.a = pick(variables), node.b = pick(variables),
      node.op = pick(9), node.constant = random_();
      const int choice = pick(10);
      if (depth < 4 && choice < 2) {
        node.kind = Node::Kind::branch;
        node.constant = 1u << pick(8);
        node.body = block(depth + 1, 1 + pick(3));
        node.other = block(depth + 1, pick(3));
      } else if (depth < 3 && choice == 2) {
        node.kind = Node::Kind::loop;
        node.body = block(depth + 1, 1 + pick(3));
      }
      out.push_back(std::move(node));
    }
    return out;
  }
  int pick(int n) { return static_cast<int>(random_() % static_cast<u32>(n)); }

  static u32 apply(int op, u32 a, u32 b, u32 c) {
    switch (op) {
      case 0:
        return a + b;
      case 1:
        return a - b;
      case 2:
        return a * b;
      case 3:
        return a ^ b;
      case 4:
        return a * b + c;
      case 5:
        return (c & 31) == 0 ? a : a << (c & 31);
      case 6:
        return a < b ? a : b;
      case 7:
        return static_cast<u32>(static_cast<std::int32_t>(a) > static_cast<std::int32_t>(b) ? a
                                                                                            : b);
      default:
        return a / (b | 1);
    }
  }
  static void run(const std::vector<Node>& block, u32* v) {
    for (const Node& node : block) {
      if (node.kind == Node::Kind::assign)
        v[node.to] = apply(node.op, v[node.a], v[node.b], node.constant);
      if (node.kind == Node::Kind::branch)
        run((v[node.a] & node.constant) != 0 ? node.body : node.other, v);
      if (node.kind == Node::Kind::loop)
        for (u32 n = v[node.a] & 7; n > 0; --n) run(node.body, v);
    }
  }
  void emit(const std::vector<Node>& block) {
    for (const Node& node : block) {
      const int id = next_++;
      switch (node.kind) {
        case Node::Kind::assign:
          assign(node);
          break;
        case Node::Kind::branch:
          text_ += fmt::format("and.b32 t3, v{}, {};\nsetp.eq.u32 p{}, t3, 0;\n@p{} bra ELSE{};\n",
                               node.a, node.constant, id, id, id);
          emit(node.body);
          text_ += fmt::format("bra END{};\nELSE{}:\n", id, id);
          emit(node.other);
          text_ += fmt::format("END{}:\n", id);
          break;
        case Node::Kind::loop:
          text_ += fmt::format(
              "and.b32 c{}, v{}, 7;\nLOOP{}:\nsetp.eq.u32 p{}, c{}, 0;\n@p{} bra OUT{};\n", id,
              node.a, id, id, id, id, id);
          emit(node.body);
          text_ += fmt::format("sub.u32 c{}, c{}, 1;\nbra LOOP{};\nOUT{}:\n", id, id, id, id);
          break;
      }
    }
  }
  void assign(const Node& n) {
    switch (n.op) {
      case 0:
        text_ += fmt::format("add.u32 v{}, v{}, v{};\n", n.to, n.a, n.b);
        break;
      case 1:
        text_ += fmt::format("sub.u32 v{}, v{}, v{};\n", n.to, n.a, n.b);
        break;
      case 2:
        text_ += fmt::format("mul.lo.u32 v{}, v{}, v{};\n", n.to, n.a, n.b);
        break;
      case 3:
        text_ += fmt::format("xor.b32 v{}, v{}, v{};\n", n.to, n.a, n.b);
        break;
      case 4:
        text_ += fmt::format("mad.lo.u32 v{}, v{}, v{}, {};\n", n.to, n.a, n.b, n.constant);
        break;
      case 5:
        text_ += fmt::format("shl.b32 v{}, v{}, {};\n", n.to, n.a, n.constant & 31);
        break;
      case 6:
        text_ += fmt::format("min.u32 v{}, v{}, v{};\n", n.to, n.a, n.b);
        break;
      case 7:
        text_ += fmt::format("max.s32 v{}, v{}, v{};\n", n.to, n.a, n.b);
        break;
      default:
        text_ += fmt::format("or.b32 t4, v{}, 1;\ndiv.u32 v{}, v{}, t4;\n", n.b, n.to, n.a);
        break;
    }
  }

  std::mt19937 random_;
  std::vector<Node> body_;
  std::string text_;
  int next_ = 0;
};

}  // namespace

TEST_CASE("Random programs give every thread the scalar result", "[simulator][property]") {
  for (unsigned seed = 1; seed <= 150; ++seed) {
    Program program(seed);
    CAPTURE(seed);
    Loaded device(program.ptx());
    const auto out = device.zeros<u32>(200);
    device.run("random", {2}, {100}, arguments(out));
    const auto got = device.download<u32>(out, 200);
    for (u32 thread = 0; thread < 200; ++thread) REQUIRE(got[thread] == program.evaluate(thread));
  }
}

}  // namespace property_tests
