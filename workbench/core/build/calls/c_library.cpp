// The C library's functions that a kernel file may call, by subject.
#include "core/build/calls/c_library.hpp"

#include <algorithm>
#include <vector>

namespace klab {
namespace {

/// Names; those that end in '*' are beginnings.
constexpr std::string_view needed[] = {
    // Memory.
    "malloc calloc realloc reallocarray free aligned_alloc posix_memalign memalign valloc "
    "malloc_usable_size memcpy memmove memset memcmp memchr memrchr memmem memccpy mempcpy bcopy "
    "bcmp bzero explicit_bzero wmemcpy wmemmove wmemset wmemcmp wmemchr sysconf getpagesize",
    // Text, and numbers in it.
    "strlen strnlen strcpy stpcpy strncpy stpncpy strlcpy strlcat strcat strncat strcmp strncmp "
    "strcasecmp strncasecmp strcoll strxfrm strchr strchrnul strrchr rawmemchr strstr strcasestr "
    "strspn strcspn strpbrk strtok strtok_r strsep strdup strndup index rindex strerror "
    "strerror_r xpg_strerror_r strerrorname_np strerrordesc_np wcslen wcscpy wcsncpy wcscmp "
    "wcsncmp wcscat wcschr atoi atol atoll atof strtol strtoll strtoul strtoull strtoimax "
    "strtoumax strtof strtod strtold sscanf vsscanf",
    "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper "
    "isxdigit tolower toupper ctype_b_loc ctype_tolower_loc ctype_toupper_loc "
    "ctype_get_mb_cur_max",
    // Printing. stdin is not here: what the runner is asked comes over it.
    "stdout stderr printf fprintf vprintf vfprintf sprintf snprintf vsprintf vsnprintf asprintf "
    "vasprintf puts fputs fputs_unlocked putchar putchar_unlocked putc fputc _IO_putc fwrite "
    "fwrite_unlocked perror fflush fflush_unlocked ferror setvbuf setbuf setlinebuf flockfile "
    "funlockfile wprintf fwprintf swprintf putwchar fputws",
    // Sorting, searching, whole numbers, chance.
    "qsort qsort_r bsearch abs labs llabs imaxabs div ldiv lldiv imaxdiv ffs ffsl ffsll rand srand "
    "rand_r random srandom drand48 erand48 lrand48 nrand48 mrand48 jrand48 srand48",
    // The end, also by an assertion.
    "exit abort atexit errno_location assert assert_fail assert_perror_fail stack_chk_fail "
    "stack_chk_guard chk_fail",
    // Clocks, and waiting for them.
    "time clock gettimeofday clock_gettime clock_getres timespec_get difftime nanosleep "
    "clock_nanosleep usleep sleep sched_yield",
    // Locks, and what std::call_once, thread_local and a static local variable are made of.
    "pthread_mutex_* pthread_mutexattr_* pthread_rwlock_* pthread_rwlockattr_* pthread_cond_* "
    "pthread_condattr_* pthread_spin_* pthread_once pthread_key_create pthread_key_delete "
    "pthread_getspecific pthread_setspecific pthread_self pthread_equal call_once mtx_* cnd_* "
    "tss_* sem_init sem_destroy sem_post sem_wait sem_trywait sem_getvalue",
    // NVTX asks the environment for a profiler.
    "getenv secure_getenv",
    // The compiler's and the linker's own.
    "cxa_* gxx_personality_v0 gcc_personality_v0 _Unwind_* dynamic_cast once_proxy tls_get_addr "
    "emutls_get_address libc_single_threaded gmon_start__ _ITM_* dso_handle aarch64_*",
    // What the compiler calls for arithmetic that the processor lacks: counts of bits, numbers of
    // 128 bits (ti, tf), floats of 16 (hf), complex ones, powers.
    "popcountdi2 popcountti2 paritydi2 parityti2 clzdi2 clzti2 ctzdi2 ctzti2 clrsbdi2 clrsbti2 "
    "ffsdi2 ffsti2 bswapsi2 bswapdi2 ashlti3 ashrti3 lshrti3 negti2 multi3 mulvti3 addvti3 "
    "subvti3 divti3 modti3 divmodti4 udivti3 umodti3 udivmodti4 cmpti2 ucmpti2 addtf3 subtf3 "
    "multf3 divtf3 negtf2 eqtf2 netf2 getf2 gttf2 letf2 lttf2 unordtf2 eqhf2 nehf2 extendhfsf2 "
    "extendhfdf2 extendhftf2 extendsftf2 extenddftf2 extendxftf2 truncsfhf2 truncdfhf2 "
    "trunctfhf2 trunctfsf2 trunctfdf2 trunctfxf2 floattihf floattisf floattidf floattixf "
    "floattitf floatuntihf floatuntisf floatuntidf floatuntixf floatuntitf floatsitf floatditf "
    "floatunsitf floatunditf fixhfti fixsfti fixdfti fixxfti fixtfti fixtfsi fixtfdi fixunshfti "
    "fixunssfti fixunsdfti fixunsxfti fixunstfti fixunstfsi fixunstfdi powisf2 powidf2 powixf2 "
    "powitf2 mulhc3 mulsc3 muldc3 mulxc3 multc3 divhc3 divsc3 divdc3 divxc3 divtc3",
    // Floating point's state is read; what sets how it rounds would set it for the reference too.
    "fegetround fegetenv fegetexceptflag fetestexcept feclearexcept feraiseexcept",
};

/// Functions of the mathematics library, each also with an f for float or an l for long double.
constexpr std::string_view mathematics =
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 exp10 "
    "expm1 fabs fdim floor fma fmax fmin fmod frexp gamma hypot ilogb j0 j1 jn y0 y1 yn ldexp "
    "lgamma lgamma_r llrint llround log log10 log1p log2 logb lrint lround modf nan nearbyint "
    "nextafter nexttoward pow pow10 remainder remquo rint round roundeven scalb scalbln scalbn "
    "significand sin sincos sinh sqrt tan tanh tgamma trunc drem finite isinf isnan fpclassify "
    "signbit issignaling cabs cacos cacosh carg casin casinh catan catanh ccos ccosh cexp cimag "
    "clog clog10 conj cpow cproj creal csin csinh csqrt ctan ctanh";

using Names = std::vector<std::string_view>;

Names words(std::string_view line) {
  Names found;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    found.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return found;
}

struct Needed {
  Names whole, beginnings, functions;
};

Needed sorted_names() {
  Needed names{.functions = words(mathematics)};
  for (const std::string_view line : needed)
    for (const std::string_view name : words(line))
      if (name.ends_with('*'))
        names.beginnings.push_back(name.substr(0, name.size() - 1));
      else
        names.whole.push_back(name);
  std::ranges::sort(names.whole);
  std::ranges::sort(names.functions);
  return names;
}

/// The name that is written in a source: headers put others in its place, for buffers whose size
/// is known (__memcpy_chk), for a standard (__isoc23_strtol), for finite numbers (__exp_finite).
std::string_view as_written(std::string_view symbol) {
  if (!symbol.starts_with("__")) return symbol;
  symbol.remove_prefix(2);
  for (const std::string_view standard : {"isoc99_", "isoc23_"})
    if (symbol.starts_with(standard)) symbol.remove_prefix(standard.size());
  for (const std::string_view end : {"_chk", "_finite"})
    if (symbol.ends_with(end)) symbol.remove_suffix(end.size());
  return symbol;
}

bool holds(const Names& sorted, std::string_view name) {
  return std::ranges::binary_search(sorted, name);
}

}  // namespace

bool is_needed_of_c(std::string_view symbol) {
  static const Needed names = sorted_names();
  const std::string_view name = as_written(symbol);
  if (holds(names.whole, name) || holds(names.functions, name)) return true;
  for (const std::string_view beginning : names.beginnings)
    if (name.starts_with(beginning)) return true;
  return (name.ends_with('f') || name.ends_with('l')) &&
         holds(names.functions, name.substr(0, name.size() - 1));
}

}  // namespace klab
