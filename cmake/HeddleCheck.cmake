# heddle_add_check(TARGET [OPTIONS...]): a test of CTest that explores the C files of a target with Heddle.
#
#   find_package(Heddle REQUIRED)      # or include() of this file
#   add_executable(server main.c pool.c)
#   heddle_add_check(server --budget 30s)
#
# The test fails when a bug is found, and is skipped where Heddle cannot tell (nothing was explored, or not in full).
# The target's include folders, definitions and options are passed on. With HEDDLE_STRICT, what is not explored in full
# fails, too.
cmake_minimum_required(VERSION 3.15)

find_program(HEDDLE_EXECUTABLE heddle HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" REQUIRED)
option(HEDDLE_STRICT "Tests of Heddle fail where it cannot tell" OFF)

function(heddle_add_check target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(files)
  foreach(source IN LISTS sources)
    if(source MATCHES "\\.c$")
      get_filename_component(path "${source}" ABSOLUTE BASE_DIR "${folder}")
      list(APPEND files "${path}")
    endif()
  endforeach()
  if(NOT files)
    message(FATAL_ERROR "heddle_add_check: ${target} has no C files")
  endif()
  set(strict)
  if(HEDDLE_STRICT)
    set(strict --strict)
  endif()
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(options "$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>")
  add_test(
    NAME heddle.${target}
    COMMAND "${HEDDLE_EXECUTABLE}" check ${strict} ${ARGN} ${files} --
            "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>" "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>" ${options}
    COMMAND_EXPAND_LISTS)
  if(NOT HEDDLE_STRICT)
    set_tests_properties(heddle.${target} PROPERTIES SKIP_RETURN_CODE 2)
  endif()
endfunction()
