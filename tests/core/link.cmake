# occupancy.tests.cpp compares with the toolkit's cuda_occupancy.h; core itself includes nothing of
# CUDA.
find_package(CUDAToolkit 13 REQUIRED)
target_include_directories(klab_core_tests SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
# compile_facts.tests.cpp talks to the real program.
if(TARGET klab-compile-facts)
  add_dependencies(klab_core_tests klab-compile-facts)
endif()
