# The learner's own files as tests, made when ctest starts: `klab`, `repository` and the folder `results` are set.
# An exercise that is not started, and the time of one where no GPU can take it, are "Not Run": ctest's percentage and
# JUnit's counts then speak of what was checked alone. A provisional pass is a pass, counted under a label of its own.
set(script "${CMAKE_CURRENT_LIST_DIR}/check_exercise.sh")
set(on_gpu FALSE)
foreach(device /dev/nvidiactl /dev/dxg)
  if(EXISTS "${device}")
    set(on_gpu TRUE)
  endif()
endforeach()
if(NOT "$ENV{KLAB_RUNNER}" STREQUAL "")
  set(on_gpu TRUE)
endif()

# `unless` is a reason not to run it, which becomes a label.
function(add_exercise name folder part unless)
  add_test("${name}" sh "${script}" "${klab}" "${repository}" "${folder}" ${part} "${results}/${folder}.result")
  # They run one at a time: two checks at once would only wait for each other's GPU.
  set_tests_properties("${name}" PROPERTIES LABELS exercise SKIP_RETURN_CODE 5 TIMEOUT 600 RUN_SERIAL TRUE)
  if(unless)
    set_tests_properties("${name}" PROPERTIES LABELS "exercise;${unless}" DISABLED TRUE)
  endif()
endfunction()

file(GLOB labs RELATIVE "${repository}/labs" "${repository}/labs/[0-9][0-9]_*/lab.toml")
foreach(lab IN LISTS labs)
  get_filename_component(folder "${lab}" DIRECTORY)
  set(right "exercise: ${folder}")
  set(whole "exercise: ${folder}, on a GPU")
  if(NOT EXISTS "${repository}/workbook/${folder}.cu")
    add_exercise("${right}" ${folder} right "not started")
    continue()
  endif()
  add_exercise("${right}" ${folder} right "")
  if(on_gpu)
    add_exercise("${whole}" ${folder} whole "")
  else()
    add_exercise("${whole}" ${folder} whole "needs a GPU")
  endif()
  # The second one reads what the first one found.
  set_tests_properties("${whole}" PROPERTIES DEPENDS "${right}")
endforeach()
