# Helpers shared by tests of several layers.
target_include_directories(klab_core_tests PRIVATE "${CMAKE_SOURCE_DIR}/tests")
