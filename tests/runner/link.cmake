# metric_names.tests.cpp asks NVIDIA's CUPTI host library, which answers without a GPU. That library
# loads libnvperf_host by name, so the test links it too and no search path has to hold it. NVIDIA's
# toolkit wheels bring only the versioned name of libcupti.
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

# The runner's own parts, as klab-runner-gpu has them, and the two simulator sources that need no
# simulator. The conversation tests start the real program.
target_sources(klab_runner_tests PRIVATE
    "${CMAKE_SOURCE_DIR}/workbench/runner/simulated/counter_source_simulator.cpp"
    "${CMAKE_SOURCE_DIR}/workbench/runner/simulated/simulator_link.cpp")
target_link_libraries(klab_runner_tests PRIVATE
    klab_runner_objects klab_runner_gpu_only klab_runner_hopper CUDA::cudart nlohmann_json::nlohmann_json
    ${CMAKE_DL_LIBS})
set_target_properties(klab_runner_tests PROPERTIES
    LINKER_LANGUAGE CXX CUDA_RUNTIME_LIBRARY None)
add_dependencies(klab_runner_tests klab-runner-gpu)
if(TARGET klab-runner-sim)
  add_dependencies(klab_runner_tests klab-runner-sim)
endif()
# Small libraries: two that a learner's build could leave behind, and one that refuses as a driver does.
foreach(fixture no_launch missing_symbol refusing_profiler trespasser forger)
  add_library(runner_fixture_${fixture} MODULE
      "${CMAKE_CURRENT_SOURCE_DIR}/runner/fixtures/${fixture}.cpp")
  add_dependencies(klab_runner_tests runner_fixture_${fixture})
  string(TOUPPER "KLAB_${fixture}" definition)
  target_compile_definitions(klab_runner_tests PRIVATE
      "${definition}=\"$<TARGET_FILE:runner_fixture_${fixture}>\"")
endforeach()
target_include_directories(runner_fixture_refusing_profiler SYSTEM PRIVATE
    "${KLAB_CUPTI_INCLUDE}" ${CUDAToolkit_INCLUDE_DIRS})
# A driver that is too old, by the name that NVIDIA's runtime opens.
add_library(runner_fixture_old_driver SHARED
    "${CMAKE_CURRENT_SOURCE_DIR}/runner/fixtures/old_driver.cpp")
set_target_properties(runner_fixture_old_driver PROPERTIES
    OUTPUT_NAME cuda SUFFIX .so.1 LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests/old_driver")
add_dependencies(klab_runner_tests runner_fixture_old_driver)
target_compile_definitions(klab_runner_tests PRIVATE
    KLAB_OLD_DRIVER_FOLDER="$<TARGET_FILE_DIR:runner_fixture_old_driver>"
    KLAB_TOOLKIT_LIBRARIES="${CUDAToolkit_LIBRARY_DIR}")
