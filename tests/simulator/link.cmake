# These use names of klab that klab::sim has as well, or name their files as others of the folder do.
set(alone "${CMAKE_CURRENT_LIST_DIR}/execute/bounds.tests.cpp" "${CMAKE_CURRENT_LIST_DIR}/execute/random.tests.cpp"
    "${CMAKE_CURRENT_LIST_DIR}/runtime/program.tests.cpp")
set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

# Builds the plugins that the simulator's tests load, with the real nvcc, the way labs are built.
target_link_libraries(klab_simulator_tests PRIVATE ${CMAKE_DL_LIBS} lz4 zstd)
find_package(nlohmann_json REQUIRED)
target_link_libraries(klab_simulator_tests PRIVATE nlohmann_json::nlohmann_json)
add_dependencies(klab_simulator_tests klab_cudart)
# The comparison with a GPU runs the real runner, the tests of bounds the real klab.
target_link_libraries(klab_simulator_tests PRIVATE klab_record)
foreach(program klab klab-runner-sim)
  if(TARGET ${program})
    add_dependencies(klab_simulator_tests ${program})
  endif()
endforeach()
set(plugin_folder "${CMAKE_BINARY_DIR}/simulator/plugins")
target_compile_definitions(klab_simulator_tests PRIVATE
    KLAB_SIM_LIBRARY="$<TARGET_FILE:klab_cudart>" KLAB_SIM_PLUGINS="${plugin_folder}"
    KLAB_CUDA_INCLUDE="${KLAB_CUDA_INCLUDE}" KLAB_NVCC="${CUDAToolkit_NVCC_EXECUTABLE}")

file(MAKE_DIRECTORY "${plugin_folder}")
file(GLOB plugin_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/bugs/*/*.cu"
    "${CMAKE_CURRENT_LIST_DIR}/kernels/*.cu")
file(GLOB plugin_headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/kernels/*.cuh")
set(patterns "${CMAKE_CURRENT_LIST_DIR}/agreement")
set(plugins "")
foreach(source IN LISTS plugin_sources)
  get_filename_component(name "${source}" NAME_WE)
  # Machine code is needed only where registers are asked for; nvcc's own compression is read there too.
  set(code compute_90)
  set(compression none)
  set(included "")
  if(source MATCHES "/kernels/runtime")
    set(code "[compute_90,sm_90]")
    set(compression default)
  elseif(name STREQUAL "patterns")
    set(included "${patterns}/kernels/01_patterns/patterns.cu"
        "${patterns}/labs/01_patterns/contract.cuh")
  endif()
  klab_nvcc(OUTPUT "${plugin_folder}/${name}.so" BUILT plugins SOURCES "${source}"
      FLAGS -D_GLIBCXX_BITS_SPECFUN_H -gencode "arch=compute_90,code=${code}" -lineinfo
          --compress-mode=${compression} -Xcompiler -fPIC -shared "-I${patterns}/labs/01_patterns"
      DEPENDS ${plugin_headers} ${included})
endforeach()
# Programs of their own, as a learner builds them; that of matrix instructions runs on a GPU too.
file(GLOB programs CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/programs/*.cu")
file(GLOB matrix_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/matrices/*")
foreach(source IN LISTS programs ITEMS "${CMAKE_CURRENT_LIST_DIR}/matrices/matrices.cu")
  get_filename_component(name "${source}" NAME_WE)
  klab_nvcc(OUTPUT "${plugin_folder}/${name}" BUILT plugins SOURCES "${source}"
      FLAGS -gencode arch=compute_90,code=compute_90 -lineinfo DEPENDS ${matrix_sources})
endforeach()
# One of two files that nvcc links on the device, too.
file(GLOB linked CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/programs/linked/*")
set(linked_sources ${linked})
list(FILTER linked_sources INCLUDE REGEX "[.]cu$")
klab_nvcc(OUTPUT "${plugin_folder}/linked" BUILT plugins SOURCES ${linked_sources}
    FLAGS -arch=sm_90 -rdc=true -lineinfo -lcudadevrt DEPENDS ${linked})
add_custom_target(klab_simulator_plugins DEPENDS ${plugins})
add_dependencies(klab_simulator_tests klab_simulator_plugins)
