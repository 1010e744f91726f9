# Language level, warnings, sanitizers, ccache and a fast linker: one place for all targets.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

# Measured with GCC 12: the precompiled Clang headers take 36 s and 670 MB to make and bring a file that includes Clang from
# 15 s to 5 s. Four files do, so a clean build gets slower and an edit of one of them faster: on in the preset `dev` only.
option(HEDDLE_PRECOMPILE_CLANG "Precompile Clang's headers" OFF)
if(HEDDLE_PRECOMPILE_CLANG AND CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
endif()

# GCC 12 accepts -fuse-ld=mold; without mold the default linker serves.
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()

add_compile_options(-Wall -Wextra -Wshadow $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor> $<$<COMPILE_LANGUAGE:CXX>:-Woverloaded-virtual> -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict)  # false alarms on `"text" + string` (GCC bug 105651)
endif()

# "address" (with undefined) or "thread"; empty for none.
set(HEDDLE_SANITIZE "" CACHE STRING "Sanitizer: address, thread or empty")
if(HEDDLE_SANITIZE STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # vptr checks need the type information of LLVM's classes, which the shared library does not export in full.
  add_compile_options(-fno-sanitize=vptr)
  # The library's own assertions find an index or an empty optional before memory is touched.
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  add_compile_options(-UNDEBUG)
  add_link_options(-fsanitize=address,undefined)
elseif(HEDDLE_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread -Wno-tsan)
  add_link_options(-fsanitize=thread)
endif()
