# These tests run the real program.
find_package(nlohmann_json 3.9 REQUIRED)
target_link_libraries(klab_cli_tests PRIVATE klab_core nlohmann_json::nlohmann_json)
add_dependencies(klab_cli_tests klab klab-course)
# faults.tests.cpp preloads it into the program.
add_library(cli_failing_calls MODULE "${CMAKE_CURRENT_SOURCE_DIR}/cli/faults/failing_calls.cpp")
target_link_libraries(cli_failing_calls PRIVATE ${CMAKE_DL_LIBS})
add_dependencies(klab_cli_tests cli_failing_calls)
target_compile_definitions(klab_cli_tests PRIVATE
    KLAB_FAILING_CALLS="$<TARGET_FILE:cli_failing_calls>")
