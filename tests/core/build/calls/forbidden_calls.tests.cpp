// What a kernel file may call, from its library.
#include "core/build/calls/forbidden_calls.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/base/files.hpp"
#include "core/process/process.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;

namespace {

/// What is found in a library made of this C++ text by the compiler of the system.
std::string misuse(const std::string& source) {
  const test::TemporaryFolder folder;
  const auto library = folder.path() / "library.so";
  const auto run =
      run_process({.command = {"g++", "-std=c++20", "-O1", "-shared", "-fPIC", "-Wl,--wrap=syscall",
                               "-o", library.string(), folder.write("file.cpp", source).string()}});
  REQUIRE(run);
  INFO(run->err);
  REQUIRE(run->exit_code == 0);
  const auto found = misuse_in(library);
  if (!found) return "";
  CHECK(found->code == ErrorCode::build_failed);
  CHECK_FALSE(found->remedy.empty());
  return found->what;
}

}  // namespace

TEST_CASE("A call that a kernel file has no use for is named with the reason", "[core][calls]") {
  CHECK(misuse("#include <sys/mman.h>\nint f(void* p) { return mprotect(p, 1, 7); }") ==
        "The kernel file calls `mprotect`, which changes which memory can be written or run.");
  CHECK_THAT(misuse("#include <thread>\nvoid f() { std::thread([] {}).join(); }"),
             ContainsSubstring("starts a host thread"));
  CHECK_THAT(misuse("#include <fstream>\nvoid f() { std::ofstream(\"note\") << 1; }"),
             ContainsSubstring("changes files"));
  CHECK_THAT(misuse("#include <csignal>\nvoid f() { std::signal(14, SIG_IGN); }"),
             ContainsSubstring("`signal`"));
  CHECK_THAT(misuse("#include <unistd.h>\nlong f() { return syscall(39); }"),
             ContainsSubstring("calls the system directly"));
  CHECK_THAT(misuse("extern \"C\" int cuptiActivityEnable(int); int f() { return "
                    "cuptiActivityEnable(1); }"),
             ContainsSubstring("belongs to what checks it"));
}

TEST_CASE("A call under another name is the same call", "[core][calls]") {
  CHECK_THAT(misuse("extern \"C\" void* harmless(void*, const char*) asm(\"dlsym\");\n"
                    "void* f() { return harmless(nullptr, \"mprotect\"); }"),
             ContainsSubstring("`dlsym`"));
}

TEST_CASE("Ways around the usual calls are found as well", "[core][calls]") {
  CHECK_THAT(misuse("#include <glob.h>\nint f(glob_t* g) { return glob(\"/*\", 0, 0, g); }"),
             ContainsSubstring("`glob`"));
  CHECK_THAT(
      misuse("#include <wordexp.h>\nint f(wordexp_t* w) { return wordexp(\"`id`\", w, 0); }"),
      ContainsSubstring("starts or rules processes"));
  CHECK_THAT(misuse("#include <aio.h>\nint f(aiocb* a) { return aio_write(a); }"),
             ContainsSubstring("`aio_write`"));
  CHECK_THAT(misuse("#include <iconv.h>\nvoid* f() { return iconv_open(\"a\", \"b\"); }"),
             ContainsSubstring("behind the linker's back"));
  CHECK_THAT(misuse("#include <cstdio>\n#include <bits/basic_file.h>\nvoid f() { "
                    "std::__basic_file<char> file(nullptr); file.open(\"note\", std::ios::out); }"),
             ContainsSubstring("opens or changes files"));
}

TEST_CASE("Of the C library a kernel file may call what it needs and nothing else",
          "[core][calls]") {
  CHECK(misuse("#include <fmtmsg.h>\nint f() { return addseverity(5, \"loud\"); }") ==
        "The kernel file calls `addseverity`, which is not among what a kernel file needs.");
  CHECK_THAT(
      misuse("#include <mntent.h>\nvoid* f() { return setmntent(\"/proc/self/mem\", \"r+\"); }"),
      ContainsSubstring("`setmntent`, which opens or changes files"));
  CHECK_THAT(misuse("#include <mntent.h>\nvoid f() { endmntent(setmntent(\"a\", \"w\")); }"),
             ContainsSubstring("`setmntent`"));
  CHECK_THAT(misuse("extern \"C\" void* _IO_file_open(void*, const char*, int, int, int, int);\n"
                    "void* f() { return _IO_file_open(nullptr, \"note\", 0, 0, 0, 0); }"),
             ContainsSubstring("`_IO_file_open`, which opens or changes files"));
  CHECK_THAT(misuse("#include <netdb.h>\nint f(gaicb** list, sigevent* done) { return "
                    "getaddrinfo_a(GAI_NOWAIT, list, 1, done); }"),
             ContainsSubstring("starts a host thread"));
  for (const char* name :
       {"getgrent", "res_query", "obstack_vprintf", "fopencookie", "_exit", "quick_exit",
        "__libc_start_main", "_IO_2_1_stdout_", "uncommon_function"}) {
    INFO(name);
    CHECK_FALSE(why_forbidden(name).empty());
  }
  for (const char* name :
       {"__memcpy_chk", "__vsnprintf_chk", "__isoc23_strtol", "sinf", "__exp_finite", "cbrtl",
        "__pthread_key_create", "_Unwind_Resume", "__cxa_guard_acquire", "__gmon_start__",
        "_ITM_registerTMCloneTable", "stderr", "qsort"}) {
    INFO(name);
    CHECK(why_forbidden(name).empty());
  }
}

TEST_CASE("Of the C++ library what opens files, starts threads or changes the runner is found",
          "[core][calls]") {
  const auto found = [](const char* headers, const char* body) {
    return misuse(std::string(headers) + "\nvoid f() { " + body + " }");
  };
  CHECK_THAT(found("#include <future>", "std::async(std::launch::async, [] {}).wait();"),
             ContainsSubstring("starts a host thread"));
  // Its stop token waits by a system call, which may be found first.
  CHECK_FALSE(found("#include <thread>", "std::jthread([] {});").empty());
  CHECK_THAT(found("#include <filesystem>", "std::filesystem::remove(\"note\");"),
             ContainsSubstring("changes files"));
  CHECK_THAT(found("#include <ext/stdio_filebuf.h>\n#include <istream>",
                   "__gnu_cxx::stdio_filebuf<char> b(3, std::ios::out); b.sputc(1);"),
             ContainsSubstring("changes files"));
  CHECK_THAT(found("#include <locale>", "std::locale::global(std::locale::classic());"),
             ContainsSubstring("reads and writes numbers"));
  CHECK_THAT(found("#include <iostream>", "int i; std::cin >> i;"),
             ContainsSubstring("reads what the runner is asked"));
}

TEST_CASE("Of the driver's functions those that reach beyond the launch are forbidden",
          "[core][calls]") {
  for (const char* name : {"cuProfilerStop", "cuCheckpointProcessLock", "cuGetProcAddress_v2",
                           "cuIpcOpenMemHandle_v2", "cuDevicePrimaryCtxReset_v2"}) {
    INFO(name);
    CHECK_FALSE(why_forbidden(name).empty());
  }
  // Tensor maps, and what libcu++ asks for.
  for (const char* name : {"cuTensorMapEncodeTiled", "cuCtxGetCurrent", "cuCtxPushCurrent_v2",
                           "cuDevicePrimaryCtxRetain", "cuStreamGetCtx", "cuMemcpyAsync"}) {
    INFO(name);
    CHECK(why_forbidden(name).empty());
  }
}

TEST_CASE("A definition that takes CUDA's or the clock's place is named", "[core][calls]") {
  CHECK_THAT(misuse("extern \"C\" int cudaEventElapsedTime(float* ms, void*, void*) { *ms = 0; "
                    "return 0; }"),
             ContainsSubstring("defines `cudaEventElapsedTime`"));
  CHECK_THAT(misuse("extern \"C\" int clock_gettime(int, void*) { return 0; }"),
             ContainsSubstring("defines `clock_gettime`"));
}

#ifdef __x86_64__
TEST_CASE("Waiting on an atomic is no misuse, though it calls the system", "[core][calls]") {
  CHECK(misuse(R"(
#include <atomic>
#include <latch>
#include <semaphore>
std::counting_semaphore<4> turns{4};
std::atomic<int> done{0};
void f() {
  turns.acquire();
  std::latch ready{1};
  ready.count_down();
  ready.wait();
  done.wait(-1);
  done.fetch_add(1);
  done.notify_all();
  turns.release();
}
)") == "");
}

TEST_CASE("Another call of the system is found beside one that waits", "[core][calls]") {
  const std::string found = misuse(
      "#include <atomic>\n#include <unistd.h>\nstd::atomic<int> done{0};\n"
      "long f(long n) { done.notify_all(); return syscall(n, 202); }");
  CHECK_THAT(found, ContainsSubstring("`syscall`") && ContainsSubstring("only futex"));
}

TEST_CASE("A system call by an instruction of the file's own is found", "[core][calls]") {
  CHECK_THAT(misuse("long f() { long r; asm volatile(\"syscall\" : \"=a\"(r) : \"a\"(39) : "
                    "\"rcx\", \"r11\", \"memory\"); return r; }"),
             ContainsSubstring("system call by an instruction of its own"));
}
#endif

TEST_CASE("What the compiler calls for arithmetic is no misuse", "[core][calls]") {
  CHECK(misuse("#include <bit>\n#include <complex>\n"
               "int ones(unsigned long n) { return std::popcount(n); }\n"
               "__int128 share(__int128 a, __int128 b) { return a / b + a % b; }\n"
               "double wide(__int128 a) { return static_cast<double>(a); }\n"
               "std::complex<float> times(std::complex<float> a) { return a * a / a; }\n"
               "double power(double x, int n) { return __builtin_powi(x, n); }") == "");
}

TEST_CASE("Code that is only unusual is not accused", "[core][calls]") {
  CHECK(misuse(R"(
#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <unordered_map>
#include <vector>
static std::map<int, std::shared_ptr<int>> plans;
static std::unordered_map<std::string, std::function<int()>> calls;
std::mutex guard;
std::once_flag once;
extern "C" void launch(const int& args, void* stream) {
  const std::lock_guard lock(guard);
  std::call_once(once, [] { std::atexit([] {}); });
  const auto start = std::chrono::steady_clock::now();
  std::mt19937 engine(std::random_device{}());
  std::vector<int> values(100);
  std::generate(values.begin(), values.end(), engine);
  std::sort(values.begin(), values.end());
  plans[args] = std::make_shared<int>(values[0]);
  calls["one"] = [] { return 1; };
  std::cout << std::setprecision(3) << 1.5;
  if (args == 1000) throw std::runtime_error("too many");
  if (args == 1001) std::exit(1);
  assert(args < 1002);
  std::ostringstream text;
  text << std::sin(args) << std::getenv("HOME") << (std::chrono::steady_clock::now() - start).count();
  std::fprintf(stderr, "%s %p\n", text.str().c_str(), stream);
  std::fflush(stdout);
  std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
}
)") == "");
}

TEST_CASE("What is no library, or a damaged one, has no symbols", "[core][calls]") {
  CHECK_FALSE(read_symbols(""));
  CHECK_FALSE(read_symbols("library"));
}

TEST_CASE("A kernel file that brings kernels in while it runs is known by its calls",
          "[core][calls]") {
  CHECK(loads_kernels(LibrarySymbols{{"cudaLaunchKernel", "cudaLibraryLoadData"}, {}}));
  CHECK(loads_kernels(LibrarySymbols{{"cuModuleLoadData"}, {}}));
  CHECK_FALSE(loads_kernels(LibrarySymbols{{"cudaLaunchKernel"}, {"cudaLibraryLoadData"}}));
}

TEST_CASE("A kernel file that may size its grid by the device is known by its calls",
          "[core][calls]") {
  for (const char* call : {"cudaGetDeviceProperties", "cudaGetDeviceProperties_v2",
                           "cudaDeviceGetAttribute", "cudaOccupancyMaxPotentialBlockSize"}) {
    INFO(call);
    CHECK(asks_for_the_device(LibrarySymbols{{"cudaLaunchKernel", call}, {}}));
  }
  CHECK_FALSE(asks_for_the_device(LibrarySymbols{{"cudaLaunchKernel", "cudaGetDevice"}, {}}));
}

TEST_CASE("A kernel file that may call the driver is known by how it asks for its functions",
          "[core][calls]") {
  const char* const call = "cudaGetDriverEntryPointByVersion";
  CHECK(asks_for_the_driver(LibrarySymbols{{call}, {}}));
  CHECK(asks_for_the_driver(LibrarySymbols{{std::string("__wrap_") + call}, {}}));
  CHECK_FALSE(asks_for_the_driver(LibrarySymbols{{"cudaLaunchKernel"}, {call}}));
}
