// The checks of CMake's own modules: what they find on this system.
#include <algorithm>

#include "analysis/compile/cmake_run.h"
#include "analysis/compile/made_header.h"

namespace heddle {
namespace {

std::string includesOf(const std::string& headers) {
  std::string lines;
  for (const std::string& header : listOf(headers)) lines += includeLine(header);
  return lines;
}

}  // namespace

BuildAnswer CMakeRun::compilesWith(const std::string& text) {
  if (!isKnownValue(text)) return BuildAnswer::Unknown;
  std::string defines;
  for (const std::string& word : listOf(valueOf("CMAKE_REQUIRED_DEFINITIONS"))) {
    Macros macros;
    if (word.starts_with("-D")) addDefinition(word, macros);
    for (const auto& [name, value] : macros)
      defines += "#define " + name + " " + (value.empty() ? "1" : value) + "\n";
  }
  if (!isKnownValue(defines)) return BuildAnswer::Unknown;
  const bool isGnu = defines.find("_GNU_SOURCE") != std::string::npos;
  return checks_.compiles((isGnu ? "" : "#define _DEFAULT_SOURCE 1\n") + defines + text);
}

bool CMakeRun::check(const std::string& name, const Arguments& arguments) {
  if (!name.starts_with("check_") && name != "test_big_endian") return false;
  const size_t count = arguments.size();
  const auto at = [&](size_t i) { return i < count ? arguments[i].text : std::string(); };
  if (name == "test_big_endian") {
    set(at(0), "0");
    return true;
  }
  const bool isNamed = std::all_of(arguments.begin(), arguments.end(),
                                   [](const CMakeArgument& argument) { return isKnownValue(argument.text); });
  if (!isNamed || count < 2) {
    for (const CMakeArgument& argument : arguments)
      if (argument.text.size() < 100 && isKnownValue(argument.text)) forget(argument.text);
    return true;
  }
  // What the command line has set already stays.
  const auto finish = [&](const std::string& variable, BuildAnswer answer) {
    if (const std::string* const known = variables_.find(variable); !known || !isKnownValue(*known))
      setAnswer(variable, answer);
  };
  const std::string extra = includesOf(valueOf("CMAKE_EXTRA_INCLUDE_FILES"));
  const std::string symbolAt = "int main(int argc, char** argv) { (void)argv; ";
  if (name == "check_include_file") {
    finish(at(1), buildAnswer(checks_.system().hasHeader(at(0))));
  } else if (name == "check_include_files") {
    finish(at(1), compilesWith(includesOf(at(0)) + "int main(void) { return 0; }\n"));
  } else if (name == "check_function_exists") {
    finish(at(1), checks_.hasFunction(at(0)));
  } else if (name == "check_library_exists") {
    const bool isOurs = checks_.hasFunction(at(1)) == BuildAnswer::Yes;
    finish(at(3), isOurs ? BuildAnswer::Yes : BuildAnswer::Unknown);
  } else if (name == "check_symbol_exists") {
    const std::string& symbol = at(0);
    finish(at(2), compilesWith(includesOf(at(1)) + symbolAt + "\n#ifndef " + symbol + "\n return ((int*)(&" +
                               symbol + "))[argc];\n#else\n return 0;\n#endif\n}\n"));
  } else if (name == "check_struct_has_member" || name == "check_struct_member") {
    finish(at(3), compilesWith(includesOf(at(2)) + "int main(void) { (void)sizeof(((" + at(0) + "*)0)->" +
                               at(1) + "); return 0; }\n"));
  } else if (name == "check_c_source_compiles") {
    finish(at(1), compilesWith(at(0)));
  } else if (name == "check_source_compiles") {
    finish(at(2), at(0) == "C" ? compilesWith(at(1)) : BuildAnswer::Unknown);
  } else if (name == "check_c_source_runs") {
    // What it does when it runs is not known.
    finish(at(1), compilesWith(at(0)) == BuildAnswer::No ? BuildAnswer::No : BuildAnswer::Unknown);
  } else if (name == "check_prototype_definition") {
    const std::string result = at(2).empty() ? "" : " return " + at(2) + ";";
    finish(at(4), compilesWith(includesOf(at(3)) + at(1) + " {" + result + " }\n"));
  } else if (name == "check_type_size") {
    const BuildAnswer has = isKnownValue(extra) ? checks_.hasType(at(0), extra) : BuildAnswer::Unknown;
    const std::string size = has == BuildAnswer::Yes ? checks_.sizeOf(at(0), extra) : "";
    if (has == BuildAnswer::Unknown)
      forget(at(1));
    else
      set(at(1), size);
    setAnswer("HAVE_" + at(1), has);
  } else if (name == "check_c_compiler_flag" || name == "check_compiler_flag") {
    const bool isWarning = at(0).starts_with("-W") || at(0).starts_with("-f");
    finish(arguments.back().text, isWarning ? BuildAnswer::Yes : BuildAnswer::Unknown);
  } else {
    forget(arguments.back().text);
  }
  return true;
}

}  // namespace heddle
