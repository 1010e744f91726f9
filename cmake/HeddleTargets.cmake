# heddle_library(NAME DEPENDS...): one static library from all .cpp files of the calling folder.
function(heddle_library name)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/*/*.cpp)
  if(sources)
    add_library(${name} STATIC ${sources})
    target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
    target_link_libraries(${name} PUBLIC ${ARGN})
  else()
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${CMAKE_SOURCE_DIR})
    target_link_libraries(${name} INTERFACE ${ARGN})
  endif()
endfunction()

# heddle_is_no_hot_path(NAME): in the release build -O1, for what runs once per command or finding. That takes a
# sixth to a third off the compiler's time, and what explores (interp, explore, solver, detect) is elsewhere.
function(heddle_is_no_hot_path name)
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${name} PRIVATE -Wno-nonnull)  # false alarms at -O1, in Clang's headers
  endif()
endfunction()

# heddle_uses_llvm(NAME): LLVM and Clang, as system headers, from their shared libraries (fast links).
function(heddle_uses_llvm name)
  get_target_property(type ${name} TYPE)
  set(scope PUBLIC)
  if(type STREQUAL "INTERFACE_LIBRARY")  # a folder without sources yet
    set(scope INTERFACE)
  endif()
  target_include_directories(${name} SYSTEM ${scope} ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
  target_link_libraries(${name} ${scope} clang-cpp LLVM)
  if(HEDDLE_PRECOMPILE_CLANG AND name STREQUAL "heddle_compile" AND scope STREQUAL "PUBLIC")
    target_precompile_headers(${name} PRIVATE <clang/CodeGen/ModuleBuilder.h> <clang/Frontend/CompilerInstance.h>
      <clang/Frontend/FrontendAction.h> <clang/Frontend/PrecompiledPreamble.h> <clang/Lex/Preprocessor.h> <llvm/IR/Module.h>)
  endif()
endfunction()

# heddle_test(NAME [SHARDS N] DEPENDS...): a GoogleTest executable from the .cpp files of the calling folder. Every TEST is
# a ctest; with SHARDS, every Nth TEST belongs to the same one, where starting the executable takes longer than a TEST.
function(heddle_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "SHARDS" "")
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_executable(${name} ${sources})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${test_UNPARSED_ARGUMENTS} heddle_test_paths GTest::gtest GTest::gtest_main)
  # The tests' own code is no work to speak of; optimizing it took more than half of a clean build.
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${name} PRIVATE -O0)
  endif()
  if(test_SHARDS)
    math(EXPR last "${test_SHARDS} - 1")
    foreach(index RANGE ${last})
      math(EXPR number "${index} + 1")
      add_test(NAME ${name}.${number}_of_${test_SHARDS} COMMAND ${name})
      set_tests_properties(${name}.${number}_of_${test_SHARDS} PROPERTIES TIMEOUT 600
        ENVIRONMENT "GTEST_TOTAL_SHARDS=${test_SHARDS};GTEST_SHARD_INDEX=${index}")
    endforeach()
    return()
  endif()
  # Tests that are disabled are run by hand; ctest would name each of them at the end of its output.
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 TEST_FILTER "-*DISABLED_*" PROPERTIES TIMEOUT 300)
endfunction()
