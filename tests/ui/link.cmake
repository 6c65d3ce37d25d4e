# The tests of the window draw with ImGui alone, and drive the real program under Xvfb.
add_dependencies(klab_ui_tests klab-workbench)
foreach(runner klab-runner-gpu klab-runner-sim)
  if(TARGET ${runner})
    add_dependencies(klab_ui_tests ${runner})
  endif()
endforeach()
target_sources(klab_ui_tests PRIVATE "${CMAKE_CURRENT_LIST_DIR}/support/fixture.cpp")
target_compile_definitions(klab_ui_tests PRIVATE
    KLAB_WORKBENCH="$<TARGET_FILE:klab-workbench>" KLAB_UI_DATA="${CMAKE_CURRENT_LIST_DIR}/data")
