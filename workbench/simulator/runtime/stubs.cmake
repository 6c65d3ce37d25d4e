# Writes, from the toolkit's headers, a weak definition of every documented runtime function (a real
# one replaces it at link time) and the per-thread-default-stream names as aliases.
# Usage: cmake -DINCLUDE_DIR=<toolkit include> -DSTUBS=<out.cpp> -DALIASES=<out.ld> -P stubs.cmake
cmake_minimum_required(VERSION 3.25)

set(text "")
foreach(header cuda_runtime_api.h cuda_profiler_api.h cuda_gl_interop.h cuda_egl_interop.h
        cuda_vdpau_interop.h)
  if(EXISTS "${INCLUDE_DIR}/${header}")
    file(READ "${INCLUDE_DIR}/${header}" content)
    string(APPEND text "${content}")
  endif()
endforeach()

string(REGEX MATCHALL "CUDARTAPI +cuda[A-Za-z0-9_]+ *\\(" declarations "${text}")
set(names "")
foreach(declaration IN LISTS declarations)
  string(REGEX REPLACE "CUDARTAPI +(cuda[A-Za-z0-9_]+) *\\(" "\\1" name "${declaration}")
  if(NOT name MATCHES "_pts[zs]$|_ptds$|WGL")
    list(APPEND names "${name}")
  endif()
endforeach()
list(APPEND names __cudaGetProcAddress)  # that no header declares
list(REMOVE_DUPLICATES names)
list(LENGTH names count)
if(count LESS 300)
  message(FATAL_ERROR "Only ${count} runtime functions were found in ${INCLUDE_DIR}: "
      "the toolkit's headers have another form than this script knows.")
endif()

set(stubs "// Generated from the toolkit's headers: what the simulator does not have, it says.\n")
string(APPEND stubs "namespace klab::sim {\nint missing(const char* function) noexcept;\n}\n\n")
string(APPEND stubs "extern \"C\" {\n")
foreach(name IN LISTS names)
  string(APPEND stubs "__attribute__((weak, visibility(\"default\"))) int ${name}() { "
      "return klab::sim::missing(\"${name}\"); }\n")
endforeach()
string(APPEND stubs "}\n")
file(WRITE "${STUBS}" "${stubs}")

# With nvcc --default-stream per-thread the same functions are called by other names. Here the
# default stream is then the legacy one, which only adds order.
set(aliases "/* Generated from the toolkit's headers. */\n__cudaLaunchKernel_ptsz = __cudaLaunchKernel;\n")
foreach(kind PTSZ PTDS)
  string(TOLOWER "${kind}" suffix)
  string(REGEX MATCHALL "__CUDART_API_${kind}\\(cuda[A-Za-z0-9_]+\\)" uses "${text}")
  foreach(use IN LISTS uses)
    string(REGEX REPLACE ".*\\((cuda[A-Za-z0-9_]+)\\)" "\\1" name "${use}")
    if(name IN_LIST names)
      list(APPEND alias_lines "${name}_${suffix} = ${name}")
    endif()
  endforeach()
endforeach()
list(REMOVE_DUPLICATES alias_lines)
foreach(line IN LISTS alias_lines)
  string(APPEND aliases "${line};\n")
endforeach()
file(WRITE "${ALIASES}" "${aliases}")
