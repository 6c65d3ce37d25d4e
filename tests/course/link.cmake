# The course's tests run real checks: they need the runners beside them.
target_link_libraries(klab_course_tests PRIVATE klab_record)
target_include_directories(klab_course_tests PRIVATE "${CMAKE_SOURCE_DIR}/tests")
foreach(runner klab klab-runner-gpu klab-runner-sim)
  if(TARGET ${runner})
    add_dependencies(klab_course_tests ${runner})
  endif()
endforeach()

# Programs that hold a lab's own rules against what hardware does, on the simulator or a GPU.
set(program_folder "${CMAKE_BINARY_DIR}/tests/programs")
file(MAKE_DIRECTORY "${program_folder}")
target_compile_definitions(klab_course_tests PRIVATE KLAB_COURSE_PROGRAMS="${program_folder}")
file(GLOB programs CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/programs/*.cu")
file(GLOB workload_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/labs/*/*.cu*"
    "${CMAKE_SOURCE_DIR}/workbench/runner/workload/*")
set(built "")
foreach(source IN LISTS programs)
  get_filename_component(name "${source}" NAME_WE)
  klab_nvcc(OUTPUT "${program_folder}/${name}" BUILT built SOURCES "${source}"
      FLAGS --extended-lambda -gencode arch=compute_90,code=compute_90 "-I${CMAKE_SOURCE_DIR}"
          "-I${CMAKE_SOURCE_DIR}/workbench"
      DEPENDS ${workload_sources})
endforeach()
add_custom_target(klab_course_programs DEPENDS ${built})
add_dependencies(klab_course_tests klab_course_programs)
