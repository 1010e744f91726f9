// CMakeText: the commands of a CMakeLists.txt or a module of CMake, as they are written.
//
// Threading: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

struct CMakeArgument {
  enum class Kind : uint8_t { Bare, Quoted, Bracket };
  std::string text;  // escapes and variables are as written
  Kind kind = Kind::Bare;
};

struct CMakeCommand {
  std::string name;  // in lower case
  std::vector<CMakeArgument> arguments;
  /// Of a command that begins or goes on with a block: the one that goes on with or ends it. Of others, and
  /// where the block has no end, the number of commands.
  size_t next = 0;
};

/// What cannot be read is passed over.
std::vector<CMakeCommand> commandsOf(const std::string& text);

/// Value of a constant that is false: empty, 0, OFF, NO, FALSE, N, IGNORE, NOTFOUND, "X-NOTFOUND".
bool isFalseForCMake(const std::string& value);

/// Text as a list: what semicolons part.
std::vector<std::string> listOf(const std::string& value);

std::string upperCase(std::string text);
std::string lowerCase(std::string text);

}  // namespace heddle
