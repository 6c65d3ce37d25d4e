// Instructions that CUDA C++ makes of inline assembly alone, beside what an H100 gave.
#include "simulator/opcodes/harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace video_tests {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// Edges of bytes, halves, words and floats, then bits drawn at random.
constexpr u32 words[64] = {
    0x00000000, 0x00000001, 0xffffffff, 0x7fffffff, 0x80000000, 0x00000005, 0x7f80ff01, 0x80ff7f00,
    0x3f800000, 0xbf800000, 0x7fc00000, 0xffc00001, 0x00000003, 0x00000021, 0xff800000, 0x7e00fc00,
    0xf43a49de, 0xa890b2b9, 0xd92b6af2, 0x30b7566c, 0x46d62672, 0x761c1a2d, 0xe2b6e1f6, 0x26b733f7,
    0x6bdbdf12, 0x69e350a5, 0x60faac4f, 0xf79ed3dc, 0x9fd5d85a, 0x99159a0f, 0x3ff7c46e, 0x833e2e44,
    0x19c05eb9, 0x9e4f2087, 0xe5eeab93, 0xa796a411, 0x589f82ed, 0x9a3640f0, 0x18f120e7, 0x48ffb4b8,
    0x66d3d4f5, 0x366708bd, 0xe02aeb4e, 0x9b3b336b, 0x3d226018, 0xede7fd1f, 0x56b635c6, 0xdf30df91,
    0x351a954f, 0x7d018d21, 0x0472872b, 0x4b8bcea5, 0x46744047, 0x96626414, 0x46e5bd61, 0x0bf5b72d,
    0x79dc4d6b, 0x7f2b22c1, 0x4a19d78b, 0xc88c9c22, 0xc186ae67, 0xf7abe7d4, 0x41368144, 0x174d98aa};

struct Recorded {
  const char* body;
  u64 digest;  // of what an H100 made of all pairs of words, c being a third one
};
constexpr Recorded recorded[] = {
    {"vsub.s32.s32.u32.sat.max d, a.b0, b.h0, c;", 0x98f8a3b6a46618e5},
    {"vsub.u32.s32.u32 d.b3, a.b2, b, c;", 0xbeb3d2590992dd87},
    {"vabsdiff.s32.s32.u32.sat.add d, a.b2, b.b3, c;", 0x70749c0b6ffecbc9},
    {"vabsdiff.s32.s32.s32 d, a, b.b3;", 0x227fa112e6eac94b},
    {"vmin.u32.s32.u32.sat.min d, a.b1, b.b2, c;", 0x6c8f0b3801a35a29},
    {"vmin.s32.s32.u32.sat.min d, a.h0, b.b3, c;", 0x40a482df2649ead1},
    {"vmax.s32.u32.s32.sat.min d, a.b0, b.h1, c;", 0x237ca2dfcc4ec8b3},
    {"vmax.s32.u32.s32 d, a.b2, b.h1;", 0x1373a6df5dadc410},
    {"vshr.u32.s32.u32.sat.clamp d.b0, a.b1, b.h0, c;", 0xd9451d51fced74fb},
    {"vshr.s32.s32.u32.wrap.min d, a, b.b3, c;", 0xf6894894c3438141},
    {"vset.u32.u32.lt d.h0, a.b1, b.b1, c;", 0xca220f4de3222a8d},
    {"vset.u32.u32.le d, a.h1, b.h0;", 0x9f19dec1e544e4db},
    {"vmad.s32.s32.u32.po.sat.shr7 d, a.b3, b.b3, c;", 0xdcd804652145a50},
    {"vmad.s32.s32.s32.sat.shr15 d, -a, b, c;", 0x9352693bbaf625ff},
    {"vadd2.u32.u32.s32.add d.h10, a.h32, b.h03, c;", 0x381132b6f3a9350f},
    {"vadd2.s32.u32.s32.sat d.h0, a, b, c;", 0x3b66c508eb59ba92},
    {"vsub2.u32.u32.s32.add d.h1, a.h03, b.h32, c;", 0xdd410779771d7423},
    {"vsub2.s32.u32.s32 d, a.h22, b.h21, c;", 0x22120ff05a2f9c97},
    {"vavrg2.s32.s32.s32.add d.h1, a.h33, b.h21, c;", 0x397487aa715893d7},
    {"vavrg2.s32.u32.s32 d.h10, a.h21, b, c;", 0x487fb0011a6f7aa7},
    {"vabsdiff2.s32.s32.u32.add d.h10, a.h12, b.h00, c;", 0xfcc190efcf273017},
    {"vabsdiff2.u32.u32.s32.add d, a, b, c;", 0xcf65cafcd95119e1},
    {"vmin2.u32.s32.u32.sat d.h1, a.h11, b.h13, c;", 0xcd8ae2d23476dd87},
    {"vmin2.s32.u32.u32.add d.h10, a, b.h00, c;", 0x215e5cc54c6956f},
    {"vmax2.s32.s32.s32.add d.h1, a.h12, b.h03, c;", 0x53255e68a6056bcf},
    {"vmax2.s32.s32.s32 d.h10, a.h23, b, c;", 0x639de9d9f87c9e37},
    {"vset2.u32.u32.ne.add d.h10, a.h32, b.h11, c;", 0x64e279c5c505951d},
    {"vset2.u32.s32.le.add d.h1, a, b, c;", 0xaeb95f1a354a4fe0},
    {"vadd4.u32.u32.s32.add d.b10, a.b7051, b.b5103, c;", 0x156923264b16f57},
    {"vadd4.u32.u32.s32.sat d.b0, a, b.b3626, c;", 0x65a2f69c585882f3},
    {"vsub4.u32.u32.u32.sat d.b1, a.b3565, b.b7614, c;", 0xdb33e97f4e378c87},
    {"vsub4.u32.s32.s32 d.b10, a, b, c;", 0xf52fab0687a5f27},
    {"vavrg4.u32.u32.u32.add d.b1, a.b2515, b.b7346, c;", 0x5940ad95c31c0a1b},
    {"vavrg4.s32.u32.u32 d.b1, a.b2441, b.b7260, c;", 0x9c255bfc88024d87},
    {"vabsdiff4.u32.u32.u32.add d.b1, a.b6253, b.b2576, c;", 0xe4b070e12e0d2317},
    {"vabsdiff4.s32.s32.u32 d.b0, a, b, c;", 0x3284c9b8b3f3a943},
    {"vmin4.s32.u32.u32.add d.b0, a.b3653, b.b4001, c;", 0xec42ddbfa1aa55f3},
    {"vmin4.u32.s32.s32 d.b1, a.b3620, b, c;", 0xe7a0896c68a2bc87},
    {"vmax4.u32.u32.s32.add d.b10, a.b3050, b.b4311, c;", 0x94db07da5505e351},
    {"vmax4.u32.u32.s32.add d.b0, a, b, c;", 0x40feb2cbc458eb1d},
    {"vset4.u32.s32.lt.add d.b1, a.b3250, b.b1703, c;", 0x2d72160a2b44af94},
    {"vset4.s32.s32.gt.add d.b1, a, b.b7277, c;", 0xdcb42c4937abe500},
    {"vadd.s32.s32.u32.sat.min d, a.h1, b.b0, c;", 0x44bef43742196d07},
    {"vadd.u32.u32.u32 d, a.h0, b.h0;", 0x3b79ce5085c577ff},
    {"vshl.u32.s32.u32.wrap d.b2, a.h1, b.b3, c;", 0x91a5a23b8167dd87},
    {"mul24.hi.s32 d, a, b;", 0x46e16d094aceb568},
    {"mul24.hi.u32 d, a, b;", 0xdf111e56f13f3568},
    {"mad24.hi.s32 d, a, b, c;", 0xc5d09c247f348038},
    {"mad24.hi.u32 d, a, b, c;", 0x7af8caff5b9d2638},
    {"mad24.hi.sat.s32 d, a, b, c;", 0x444794abcd36d7b1},
    {"mad.hi.sat.s32 d, a, b, c;", 0x1a6de6771c107242},
    {"setp.gt.s32 p, a, 5;lop3.or.b32 d|p, a, b, c, 0x80, p;@p add.u32 d, d, 9;",
     0xee25c3b3b5056e0},
    {"setp.gt.s32 p, a, 5;lop3.and.b32 d|p, a, b, c, 0x96, p;@p add.u32 d, d, 9;",
     0x3862efe58318da4b},
    {"setp.gt.s32 p, a, 5;lop3.and.b32 _|p, a, b, c, 0x68, !p;@p add.u32 d, d, 9;",
     0xc8604cb0da7d333f},
    {"min.xorsign.abs.f16x2 d, a, b;", 0x848a5e1d26ffb01e},
    {"min.xorsign.abs.bf16x2 d, a, b;", 0xa0e1578a2e817a75},
    {"max.xorsign.abs.f16x2 d, a, b;", 0x56062fe16eb4d40e},
    {"max.xorsign.abs.bf16x2 d, a, b;", 0x55d59cac5025be71},
    {"min.NaN.xorsign.abs.f16x2 d, a, b;", 0x70cc6bbe02716cc6},
    {"min.NaN.xorsign.abs.bf16x2 d, a, b;", 0xbf72c0f2f55f739},
    {"max.NaN.xorsign.abs.f16x2 d, a, b;", 0xd1549e8bbd840b06},
    {"max.NaN.xorsign.abs.bf16x2 d, a, b;", 0xfd9d499774c38ed1},
    {"min.xorsign.abs.f32 d, a, b;", 0x69fe782ed8a2fd64},
    {"max.xorsign.abs.f32 d, a, b;", 0xd3306fa7fb04f8ac},
    {"min.NaN.xorsign.abs.f32 d, a, b;", 0x26543ed1767f13a0},
    {"max.ftz.xorsign.abs.f32 d, a, b;", 0x7d0772ca38488e50},
};

struct Operands {
  std::vector<u32> a, b, c;
};
Operands operands() {
  Operands out;
  for (u32 step = 0; step < 64; ++step)
    for (u32 i = 0; i < 64; ++i) {
      out.a.push_back(words[i]);
      out.b.push_back(words[(i + step) % 64]);
      out.c.push_back(words[(i + 3 * step) % 64]);
    }
  return out;
}

u64 digest_of(const std::vector<u32>& words) {
  u64 digest = 7;
  for (const u32 word : words) digest = (digest ^ word) * 1099511628211ull;
  return digest;
}

std::vector<u32> results(const std::string& body, const Operands& in) {
  Loaded device(opcode_kernel<u32, u32, u32, u32>("mov.b32 d, c;\n" + body, false));
  const auto out = device.zeros<u32>(in.a.size());
  device.run("opcode", {static_cast<u32>(in.a.size() / 64)}, {64},
             arguments(device.upload(in.a), device.upload(in.b), device.upload(in.c), out,
                       static_cast<u32>(in.a.size())));
  return device.download<u32>(out, in.a.size());
}

}  // namespace

TEST_CASE("Video instructions, products of 24 bits and signs of products are those of an H100",
          "[simulator][opcode]") {
  const Operands in = operands();
  for (const Recorded& one : recorded) {
    CAPTURE(one.body);
    CHECK(digest_of(results(one.body, in)) == one.digest);
  }
}

TEST_CASE("Video instructions take parts of registers as the PTX manual says",
          "[simulator][opcode]") {
  const auto one = [](const std::string& body, u32 a, u32 b, u32 c) {
    const Operands in{std::vector(64, a), std::vector(64, b), std::vector(64, c)};
    return results(body, in)[63];
  };
  CHECK(one("vadd.s32.s32.s32 d, a.b0, b.h1;", 0x000000ff, 0x00050000, 0) == 4);
  CHECK(one("vadd.s32.s32.s32.sat d.h1, a, b, c;", 40000, 0, 0x12345678) == 0x7fff5678);
  CHECK(one("vsub.s32.u32.u32.sat d.b3, a.b0, b.b0, c;", 0, 200, 0x12345678) == 0x80345678);
  CHECK(one("vset.s32.s32.lt.add d, a, b, c;", ~0u, 1, 41) == 42);
  CHECK(one("vshl.u32.u32.u32.sat.clamp d, a, b;", 1, 40, 0) == ~0u);
  CHECK(one("vmad.s32.s32.s32 d, -a, b, c;", 5, 7, 100) == 65);
  CHECK(one("vadd4.u32.u32.u32.sat d.b20, a, b, c;", 0xf0f0f0f0, 0x20202020, 0x11223344) ==
        0x11ff33ff);
}

}  // namespace video_tests
