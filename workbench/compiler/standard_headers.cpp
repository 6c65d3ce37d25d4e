// Names of the standard headers, and their replacements.
#include "compiler/standard_headers.hpp"

#include <list>
#include <string>

namespace klab::compiler {
namespace {

// Integer types as g++ on 64-bit Linux has them, so that name mangling and overloads agree.
constexpr const char* integers = R"(#pragma once
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long ptrdiff_t;
namespace std {
using ::int8_t;
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::uint8_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::intptr_t;
using ::uintptr_t;
using ::ptrdiff_t;
using size_t = decltype(sizeof(0));
}
)";

// libcu++ has its own, which cannot stand beside those above.
constexpr const char* full_integers = R"(#pragma once
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
namespace std { using namespace cuda::std; }
)";

constexpr const char* with_integers[] = {"cstdint",  "cstddef",    "stdint.h",
                                         "stddef.h", "inttypes.h", "cinttypes"};

/// Headers whose contents libcu++ has for device code.
constexpr const char* with_counterpart[] = {"algorithm",   "array",      "bit",
                                            "climits",     "cmath",      "complex",
                                            "concepts",    "functional", "initializer_list",
                                            "iterator",    "limits",     "numeric",
                                            "optional",    "span",       "tuple",
                                            "type_traits", "utility",    "variant",
                                            "cfloat"};

/// Headers of which device code can use nothing.
constexpr const char* host_only[] = {"any",           "cassert",
                                     "assert.h",      "atomic",
                                     "barrier",       "bitset",
                                     "cctype",        "cerrno",
                                     "cfenv",         "charconv",
                                     "chrono",        "clocale",
                                     "compare",       "condition_variable",
                                     "coroutine",     "csetjmp",
                                     "csignal",       "cstdarg",
                                     "cstdio",        "cstdlib",
                                     "cstring",       "ctime",
                                     "cuchar",        "cwchar",
                                     "cwctype",       "deque",
                                     "exception",     "execution",
                                     "filesystem",    "format",
                                     "forward_list",  "fstream",
                                     "future",        "iomanip",
                                     "ios",           "iosfwd",
                                     "iostream",      "istream",
                                     "latch",         "list",
                                     "locale",        "map",
                                     "memory",        "memory_resource",
                                     "mutex",         "new",
                                     "numbers",       "ostream",
                                     "queue",         "random",
                                     "ranges",        "ratio",
                                     "regex",         "scoped_allocator",
                                     "semaphore",     "set",
                                     "shared_mutex",  "source_location",
                                     "sstream",       "stack",
                                     "stdexcept",     "stop_token",
                                     "streambuf",     "string",
                                     "string_view",   "syncstream",
                                     "system_error",  "thread",
                                     "typeindex",     "typeinfo",
                                     "unordered_map", "unordered_set",
                                     "valarray",      "vector",
                                     "version",       "ctype.h",
                                     "errno.h",       "float.h",
                                     "limits.h",      "math.h",
                                     "signal.h",      "stdio.h",
                                     "stdlib.h",      "string.h",
                                     "time.h",        "unistd.h"};

struct Collection {
  std::list<std::string> texts;
  Headers headers;

  explicit Collection(bool full) {
    for (const char* name : with_integers) add(name, full ? full_integers : integers);
    for (const char* name : with_counterpart)
      add(name, full ? "#pragma once\n#include <cstdint>\n#include <cuda/std/" + std::string(name) +
                           ">\nnamespace std { using namespace cuda::std; }\n"
                     : "");
    for (const char* name : host_only) add(name, "");
  }
  void add(const char* name, std::string text) {
    texts.push_back(std::move(text));
    headers.names.push_back(name);
    headers.texts.push_back(texts.back().c_str());
  }
};

}  // namespace

const Headers& standard_headers(bool full) {
  static const Collection light(false), heavy(true);
  return (full ? heavy : light).headers;
}

}  // namespace klab::compiler
