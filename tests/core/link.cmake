# occupancy.tests.cpp compares with the toolkit's cuda_occupancy.h; core itself includes nothing of
# CUDA.
target_include_directories(klab_core_tests SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
# layers.tests.cpp compiles each header alone, those of the runner too.
list(GET CUDAToolkit_INCLUDE_DIRS 0 cuda_includes)
# For that file alone: the precompiled header is shared with tests that do not define it.
set_source_files_properties("${CMAKE_CURRENT_LIST_DIR}/layers.tests.cpp" PROPERTIES
    COMPILE_DEFINITIONS "KLAB_CUDA_INCLUDES=\"${cuda_includes}\"")
target_link_libraries(klab_core_tests PRIVATE klab_markdown klab_record)
