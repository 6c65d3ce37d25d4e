# These tests run the real program.
find_package(nlohmann_json 3.9 REQUIRED)
target_link_libraries(klab_cli_tests PRIVATE klab_core nlohmann_json::nlohmann_json)
add_dependencies(klab_cli_tests klab)
