# metric_names.tests.cpp asks NVIDIA's CUPTI host library, which answers without a GPU. That library
# loads libnvperf_host by name, so the test links it too and no search path has to hold it. NVIDIA's
# toolkit wheels bring only the versioned name of libcupti.
find_package(CUDAToolkit 13 REQUIRED)
set(cupti_folders "${CUDAToolkit_LIBRARY_DIR}" "${CUDAToolkit_LIBRARY_ROOT}/extras/CUPTI/lib64"
    "${CUDAToolkit_LIBRARY_ROOT}/lib64" "${CUDAToolkit_LIBRARY_ROOT}/lib")
find_library(KLAB_CUPTI NAMES cupti libcupti.so.13 HINTS ${cupti_folders} REQUIRED)
find_library(KLAB_NVPERF_HOST nvperf_host HINTS ${cupti_folders} REQUIRED)
find_path(KLAB_CUPTI_INCLUDE cupti_profiler_host.h
    HINTS ${CUDAToolkit_INCLUDE_DIRS} "${CUDAToolkit_LIBRARY_ROOT}/extras/CUPTI/include" REQUIRED)
target_include_directories(klab_runner_tests SYSTEM PRIVATE
    "${KLAB_CUPTI_INCLUDE}" ${CUDAToolkit_INCLUDE_DIRS})
target_link_libraries(klab_runner_tests PRIVATE klab_core "${KLAB_CUPTI}"
    -Wl,--push-state,--no-as-needed "${KLAB_NVPERF_HOST}" -Wl,--pop-state)
