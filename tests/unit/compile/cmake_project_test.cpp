// What a project's CMakeLists.txt come to when nobody asks for anything special.
#include <gtest/gtest.h>

#include "analysis/compile/cmake_project.h"
#include "analysis/compile/inferred_flags.h"
#include "analysis/compile/made_header.h"
#include "compile_helpers.h"

namespace heddle {
namespace {

CMakeProject configured(const ScratchDirectory& scratch) {
  static const SystemNames system({"/usr/include", "/usr/include/x86_64-linux-gnu"});
  BuildChecks checks(system, [](const std::string& text) {
    return text.find("no_such") == std::string::npos ? std::optional<uint64_t>(0) : std::nullopt;
  });
  return configureByCMake(scratch.path(), checks);
}

TEST(CMakeProject, FollowsOptionsConditionsAndModules) {
  ScratchDirectory scratch;
  scratch.write("CMakeLists.txt", R"(project(pool VERSION 2.1 LANGUAGES C)
set(CMAKE_MODULE_PATH "${PROJECT_SOURCE_DIR}/cmake")
option(USE_THREADS "Threads" ON)
option(USE_GPU "Other" OFF)
include(CMakeDependentOption)
CMAKE_DEPENDENT_OPTION(USE_QUEUE "Queue" ON "USE_THREADS;NOT USE_GPU" OFF)
include(SelectThreads)   # in cmake/
find_package(Maybe)
if(MAYBE_FOUND)
  set(POOL_MAYBE 1)
  add_definitions(-DMAYBE)
elseif(WIN32)
  set(POOL_WINDOWS 1)
endif()
foreach(name stdio stdlib)
  string(TOUPPER "HAS_${name}_H" upper)
  check_include_file(${name}.h ${upper})
endforeach()
check_c_source_compiles("int main(void) { return no_such; }" HAS_OTHER)
#[[ set(POOL_COMMENT 1) ]]
configure_file(pool.h.in ${CMAKE_BINARY_DIR}/pool.h)
)");
  scratch.write("cmake/SelectThreads.cmake", R"(
find_package(Threads)
if((USE_THREADS STREQUAL "ON" OR USE_THREADS STREQUAL "") AND THREADS_FOUND)
  SET(POOL_THREADS 1)
else()
  set(POOL_SERIAL 1)
endif()
function(quiet out)
  set(${out} "${ARGN}" PARENT_SCOPE)
  return()
  set(${out} "" PARENT_SCOPE)
endfunction()
quiet(POOL_NAME a b)
)");
  const std::string header = scratch.write(
      "pool.h.in",
      "POOL_THREADS POOL_SERIAL USE_QUEUE POOL_MAYBE POOL_WINDOWS HAS_STDIO_H HAS_OTHER POOL_NAME "
      "PROJECT_VERSION_MAJOR POOL_COMMENT");
  const CMakeProject found = configured(scratch);
  EXPECT_EQ(found.templates.at(header), (std::map<std::string, std::string>{{"POOL_THREADS", "1"},
                                                                            {"USE_QUEUE", "ON"},
                                                                            {"HAS_STDIO_H", "1"},
                                                                            {"HAS_OTHER", ""},
                                                                            {"POOL_NAME", "a;b"},
                                                                            {"PROJECT_VERSION_MAJOR", "2"}}));
  EXPECT_EQ(found.folders.at(scratch.path()), Macros{});
}

TEST(CMakeProject, KnowsWhichMacrosEachTargetHas) {
  ScratchDirectory scratch;
  scratch.write("CMakeLists.txt", R"(
add_library(base src/base.c)
target_compile_definitions(base PUBLIC BASE=1 PRIVATE OWN "TEXT=\"a b\"")
file(GLOB ALL src/more/*.c)
add_executable(tool src/tool.c ${ALL})
target_link_libraries(tool PRIVATE base)
target_compile_definitions(tool PRIVATE MODE=1 $<$<CONFIG:Debug>:DEBUGGED>)
add_executable(again src/tool.c)
target_compile_definitions(again PRIVATE MODE=2)
set_source_files_properties(src/more/b.c PROPERTIES COMPILE_DEFINITIONS "LONE=1")
add_subdirectory(tests)
add_definitions(-DEVERY=1)
)");
  scratch.write("tests/CMakeLists.txt", "add_definitions(-DTESTS=1)\nadd_executable(t t.c)\n");
  InferredFlags inferred;
  const std::string text =
      "#if BASE + OWN + MODE + TESTS + LONE + EVERY + DEBUGGED\n#endif\nconst char *text = TEXT;\n";
  const auto flagsOf = [&](const char* name) { return inferred.of(scratch.write(name, text)).flags; };
  using Strings = std::vector<std::string>;
  EXPECT_EQ(flagsOf("src/base.c"), (Strings{"-DBASE=1", "-DEVERY=1", "-DOWN", "-DTEXT=\"a b\""}));
  EXPECT_EQ(flagsOf("src/tool.c"), (Strings{"-DBASE=1", "-DEVERY=1", "-DMODE=1"}));
  EXPECT_EQ(flagsOf("src/more/b.c"), (Strings{"-DBASE=1", "-DEVERY=1", "-DLONE=1", "-DMODE=1"}));
  EXPECT_EQ(flagsOf("src/lone.c"), (Strings{"-DEVERY=1"}));
  EXPECT_EQ(flagsOf("tests/t.c"), (Strings{"-DTESTS=1"}));
}

TEST(CMakeProject, AMadeHeaderHasWhatTheDefaultConfigurationSets) {
  ScratchDirectory scratch;
  scratch.write("CMakeLists.txt",
                "option(WITH_LOCKS \"Locks\" ON)\nif(WITH_LOCKS)\n  set(POOL_LOCKS 1)\nendif()\n"
                "set(POOL_SIZE 4)\nset(POOL_OFF OFF)\nconfigure_file(lib/pool.h.in pool.h)\n");
  scratch.write("lib/pool.h.in",
                "#cmakedefine POOL_LOCKS 1\n#cmakedefine POOL_SIZE ${POOL_SIZE}\n#cmakedefine POOL_OFF 1\n"
                "#cmakedefine01 POOL_OFF\n#include \"lib/more@SUFFIX@.h\"\n@UNKNOWN_LINE@\n");
  scratch.write("lib/more.h.in", "#define MORE @POOL_SIZE@\n#include \"base.h\"\n");
  scratch.write("compat/base.h", "typedef int base;\n");
  InferredFlags inferred;
  const std::string text = "#include \"pool.h\"\nint a[POOL_LOCKS + POOL_SIZE + MORE]; base b;\n";
  const std::string file = scratch.write("src/a.c", text);
  const CompileCommand command = findCompileCommand(file, nullptr, &inferred);
  EXPECT_EQ(command.made.at(scratch.file("lib/pool.h")),
            "#define POOL_LOCKS 1\n#define POOL_SIZE 4\n\n#define POOL_OFF 0\n#include \"lib/more.h\"\n\n");
  EXPECT_TRUE(Compiler().compile(file, text, command).module) << command.source;
}

/// Who configures meets the error, and switches off what needs the package.
TEST(CMakeProject, WhatEndsWithAnErrorIsSwitchedOff) {
  const auto valuesOf = [](const std::string& end) {
    ScratchDirectory scratch;
    scratch.write("CMakeLists.txt", R"(project(hash C)
set(USE_TLS "" CACHE STRING "which one")
option(USE_WEB "with a server" ON)
if(USE_TLS STREQUAL "")
  set(USE_TLS ON)
endif()
find_package(mbedTLS)
if(USE_TLS)
  if(NEVER_SOUGHT_FOUND)
    set(USE_TLS never)
  elseif(MBEDTLS_FOUND)
    set(USE_TLS mbed)
  else()
    )" + end + R"(
  endif()
endif()
if(USE_WEB)
  find_package(libwebsockets REQUIRED)
  set(WITH_WEB 1)
endif()
if(NOT USE_TLS)
  set(OWN_HASH 1)
endif()
configure_file(hash.h.in ${CMAKE_BINARY_DIR}/hash.h)
)");
    const std::string header = scratch.write("hash.h.in", "#cmakedefine OWN_HASH\n#cmakedefine WITH_WEB\n");
    static const SystemNames nothing({scratch.path()});
    BuildChecks checks(nothing, {});
    return configureByCMake(scratch.path(), checks).templates.at(header);
  };
  using Values = std::map<std::string, std::string>;
  EXPECT_EQ(valuesOf("message(FATAL_ERROR \"no TLS\")"), (Values{{"OWN_HASH", "1"}}));
  EXPECT_EQ(valuesOf("message(STATUS \"no TLS\")"), Values{});
}

TEST(CMakeProject, ScriptsWithoutAnEndAreBounded) {
  ScratchDirectory scratch;
  scratch.write("CMakeLists.txt", R"(
function(again)
  again()
  again()
endfunction()
again()
set(A x)
while(TRUE)
  set(A "${A}${A}")
endwhile()
foreach(i 1 2 3 4 5 6 7 8 9)
  foreach(j 1 2 3 4 5 6 7 8 9)
    foreach(k 1 2 3 4 5 6 7 8 9)
      foreach(l 1 2 3 4 5 6 7 8 9)
        foreach(m 1 2 3 4 5 6 7 8 9)
          set(B "${B}0123456789")
        endforeach()
      endforeach()
    endforeach()
  endforeach()
endforeach()
include(${CMAKE_CURRENT_LIST_FILE})
include(CMakeLists.txt)
include(../outside.cmake)
add_subdirectory(.)
if((((((((
)");
  configured(scratch);
}

TEST(CMakeProject, PatternsStandForPaths) {
  EXPECT_TRUE(isMatched("/a/*.c", "/a/b.c"));
  EXPECT_FALSE(isMatched("/a/*.c", "/a/b/c.c"));
  EXPECT_TRUE(isMatched("/a/***.c", "/a/b/c.c"));
  EXPECT_TRUE(isMatched("/a/b*/c*.c", "/a/bb/cc.c"));
  EXPECT_TRUE(isMatched("/a/**t*.c", "/a/t1/t2.c"));
  EXPECT_FALSE(isMatched("/a/b.c", "/a/b.cc"));
}

}  // namespace
}  // namespace heddle
