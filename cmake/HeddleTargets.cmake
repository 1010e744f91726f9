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

# heddle_test(NAME DEPENDS...): a GoogleTest executable from the .cpp files of the calling folder; every TEST is a ctest.
function(heddle_test name)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_executable(${name} ${sources})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${ARGN} heddle_test_paths GTest::gtest GTest::gtest_main)
  # The tests' own code is no work to speak of; optimizing it took more than half of a clean build.
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${name} PRIVATE -O0)
  endif()
  # Tests that are disabled are run by hand; ctest would name each of them at the end of its output.
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 TEST_FILTER "-*DISABLED_*" PROPERTIES TIMEOUT 300)
endfunction()
