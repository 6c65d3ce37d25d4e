// Carries out every matrix instruction on numbers that follow from a seed, and prints a digest of
// the results by instruction and kind of numbers: the same program runs on a GPU and on the
// simulator.
//   matrices [--count N] [--dump FILE | --expect FILE]
// --dump keeps the results of the first matrices of each; --expect compares with such a file and
// shows what differs.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "instructions.cuh"

namespace {

using namespace matrices;

constexpr int dumped = 32;  // matrices of each instruction and kind
constexpr int shown = 3;    // differences of each

struct Options {
  int count = 256;
  std::string dump, expect;
};

struct Run {
  Options options;
  std::vector<unsigned char> expected;
  std::size_t read = 0;
  std::ofstream dump;
  long long different = 0;
  bool first = true;
};

void require(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

void* upload(const std::vector<unsigned char>& bytes) {
  void* memory = nullptr;
  require(cudaMalloc(&memory, bytes.size()), "cudaMalloc");
  require(cudaMemcpy(memory, bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
  return memory;
}

using Launch = void (*)(const void*, const void*, const void*, void*);

std::vector<unsigned char> compute(const Operands& in, std::size_t bytes, int count,
                                   Launch kernel) {
  void *a = upload(in.a), *b = upload(in.b), *c = upload(in.c), *d = nullptr;
  require(cudaMalloc(&d, bytes), "cudaMalloc");
  require(cudaMemset(d, 0, bytes), "cudaMemset");
  kernel<<<count, 32>>>(a, b, c, d);
  std::vector<unsigned char> out(bytes);
  require(cudaMemcpy(out.data(), d, bytes, cudaMemcpyDeviceToHost), "a matrix instruction");
  for (void* memory : {a, b, c, d}) require(cudaFree(memory), "cudaFree");
  return out;
}

u64 digest_of(const std::vector<unsigned char>& bytes) {
  return seed_of({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

template <class I>
void show(const Operands& in, int index, u64 ours, u64 theirs) {
  constexpr Shape s = I::shape;
  const int matrix = index / (s.m * s.n), row = index / s.n % s.m, column = index % s.n;
  const Format &fa = I::ElementA::format, &fb = I::ElementB::format, &fc = I::ElementC::format;
  std::fprintf(stderr, "  matrix %d row %d column %d: here %llx, expected %llx, c %llx\n   ",
               matrix, row, column, static_cast<Double>(ours), static_cast<Double>(theirs),
               static_cast<Double>(get(in.c, fc, index)));
  for (int k = 0; k < s.k; ++k)
    std::fprintf(stderr, " %llx*%llx",
                 static_cast<Double>(get(in.a, fa, (matrix * s.m + row) * s.k + k)),
                 static_cast<Double>(get(in.b, fb, (matrix * s.n + column) * s.k + k)));
  std::fprintf(stderr, "\n");
}

template <class I>
void compare(Run& run, const char* kind, const Operands& in, const std::vector<unsigned char>& out,
             std::size_t bytes) {
  if (run.read + bytes > run.expected.size()) {
    std::fprintf(stderr, "The expected results end early.\n");
    std::exit(1);
  }
  const std::vector<unsigned char> expected(run.expected.begin() + run.read,
                                            run.expected.begin() + run.read + bytes);
  run.read += bytes;
  const Format& fd = I::ElementD::format;
  const int elements = static_cast<int>(bytes * 8 / fd.bits);
  int wrong = 0;
  for (int i = 0; i < elements; ++i) wrong += get(out, fd, i) != get(expected, fd, i);
  run.different += wrong;
  if (wrong == 0) return;
  std::fprintf(stderr, "%s, %s: %d of %d differ\n", I::name, kind, wrong, elements);
  int left = shown;
  for (int i = 0; i < elements && left > 0; ++i)
    if (get(out, fd, i) != get(expected, fd, i)) {
      show<I>(in, i, get(out, fd, i), get(expected, fd, i));
      --left;
    }
}

template <class I>
void examine(Run& run, Launch kernel) {
  constexpr Shape s = I::shape;
  const int kinds = I::ElementA::format.exponent_bits == 0 ? 3 : kind_count;
  std::printf("%s\n  \"%s\": {", run.first ? "" : ",", I::name);
  run.first = false;
  for (int i = 0; i < kinds; ++i) {
    const Operands in = draw_operands(I::name, s, I::ElementA::format, I::ElementB::format,
                                      I::ElementC::format, static_cast<Kind>(i), run.options.count);
    const std::size_t each = static_cast<std::size_t>(s.m) * s.n * I::ElementD::format.bits / 8;
    const auto out = compute(in, each * run.options.count, run.options.count, kernel);
    std::printf("%s\"%s\": \"%016llx\"", i == 0 ? "" : ", ", kind_names[i],
                static_cast<Double>(digest_of(out)));
    if (run.dump.is_open())
      run.dump.write(reinterpret_cast<const char*>(out.data()),
                     static_cast<std::streamsize>(each * dumped));
    if (!run.options.expect.empty()) compare<I>(run, kind_names[i], in, out, each * dumped);
  }
  std::printf("}");
}

template <class... I>
void examine_mma(Run& run) {
  (examine<I>(run, run_mma<I>), ...);
}
template <class... I>
void examine_wmma(Run& run) {
  (examine<I>(run, run_wmma<I>), ...);
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    if (name == "--count") options.count = std::atoi(argv[i + 1]);
    if (name == "--dump") options.dump = argv[i + 1];
    if (name == "--expect") options.expect = argv[i + 1];
  }
  if (argc % 2 == 0 || options.count < dumped) {
    std::fprintf(stderr, "usage: %s [--count N, from %d on] [--dump FILE | --expect FILE]\n",
                 argv[0], dumped);
    std::exit(2);
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  Run run{.options = parse(argc, argv)};
  if (!run.options.dump.empty()) run.dump.open(run.options.dump, std::ios::binary);
  if (!run.options.expect.empty()) {
    std::ifstream in(run.options.expect, std::ios::binary);
    run.expected.assign(std::istreambuf_iterator<char>(in), {});
  }
  cudaDeviceProp properties{};
  require(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  std::printf("{\"device\": \"%s\", \"matrices\": %d, \"digests\": {", properties.name,
              run.options.count);
  examine_mma<
      mma_m16n8k8_f32_f16_f16_f32, mma_m16n8k8_f16_f16_f16_f16, mma_m16n8k8_f32_bf16_bf16_f32,
      mma_m16n8k16_f32_f16_f16_f32, mma_m16n8k16_f16_f16_f16_f16, mma_m16n8k16_f32_bf16_bf16_f32,
      mma_m16n8k4_f32_tf32_tf32_f32, mma_m16n8k8_f32_tf32_tf32_f32, mma_m8n8k4_f64_f64_f64_f64,
      mma_m16n8k4_f64_f64_f64_f64, mma_m16n8k8_f64_f64_f64_f64, mma_m16n8k16_f64_f64_f64_f64,
      mma_m8n8k16_s32_s8_s8_s32, mma_m16n8k16_s32_s8_s8_s32, mma_m16n8k32_s32_s8_s8_s32,
      mma_m16n8k32_s32_u8_u8_s32, mma_m16n8k32_s32_s8_u8_s32, mma_m16n8k32_satfinite_s32_u8_s8_s32>(
      run);
  examine_wmma<wmma_m16n16k16_f32_f16_f16_f32, wmma_m16n16k16_f32_f16_f16_f16,
               wmma_m16n16k16_f16_f16_f16_f32, wmma_m16n16k16_f16_f16_f16_f16,
               wmma_m32n8k16_f32_f16_f16_f32, wmma_m8n32k16_f32_f16_f16_f32,
               wmma_m16n16k16_f32_bf16_bf16_f32, wmma_m16n16k8_f32_tf32_tf32_f32,
               wmma_m8n8k4_f64_f64_f64_f64, wmma_m16n16k16_s32_s8_s8_s32,
               wmma_m16n16k16_s32_u8_u8_s32_satfinite>(run);
  std::printf("\n}}\n");
  if (!run.options.expect.empty())
    std::fprintf(stderr, "%lld element(s) differ from the expected ones.\n", run.different);
  return run.different == 0 ? 0 : 1;
}
