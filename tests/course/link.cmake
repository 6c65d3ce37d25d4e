# The course's tests run real checks: they need the runners beside them.
target_link_libraries(klab_course_tests PRIVATE klab_record)
target_include_directories(klab_course_tests PRIVATE "${CMAKE_SOURCE_DIR}/tests")
foreach(runner klab-runner-gpu klab-runner-sim)
  if(TARGET ${runner})
    add_dependencies(klab_course_tests ${runner})
  endif()
endforeach()
