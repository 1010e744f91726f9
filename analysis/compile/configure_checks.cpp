// The macros of Autoconf: what they do with the commands that they are given, and what they find on this
// system.
#include <algorithm>
#include <cctype>
#include <sstream>

#include "analysis/compile/cmake_text.h"
#include "analysis/compile/cmake_variables.h"
#include "analysis/compile/configure_run.h"
#include "analysis/compile/made_header.h"
#include "analysis/support/word.h"

namespace heddle {
namespace {

constexpr const char* kUsualIncludes =
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <inttypes.h>\n#include "
    "<stdint.h>\n"
    "#include <strings.h>\n#include <sys/types.h>\n#include <sys/stat.h>\n#include <unistd.h>\n";

/// "sys/time.h" as in ac_cv_header_sys_time_h.
std::string cacheName(const std::string& text) {
  std::string name;
  for (const char c : text) name += isWordCharacter(c) ? c : c == '*' ? 'p' : '_';
  return name;
}

std::string at(const std::vector<std::string>& arguments, size_t i) {
  return i < arguments.size() ? arguments[i] : "";
}

/// The names of a list, parted by blanks or commas.
std::vector<std::string> namesOf(std::string list, bool isByCommas) {
  std::vector<std::string> names;
  if (!isByCommas) {
    std::istringstream words(list);
    for (std::string word; words >> word;)
      if (word != "\\") names.push_back(word);
    return names;
  }
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    if (std::string name = withoutBlanks(list.substr(begin, end - begin)); !name.empty())
      names.push_back(name);
    begin = end + 1;
  }
  return names;
}

}  // namespace

bool ConfigureRun::runLanguage(const std::string& name, const Texts& arguments) {
  if (name == "AC_DEFUN" || name == "AC_DEFUN_ONCE" || name == "m4_define" || name == "m4_pushdef" ||
      name == "m4_define_default" || name == "AU_DEFUN") {
    constexpr size_t kMostMacros = 5'000;
    if (macros_.size() < kMostMacros && !at(arguments, 0).empty()) macros_[arguments[0]] = at(arguments, 1);
  } else if (name == "m4_include" || name == "m4_sinclude" || name == "sinclude") {
    runFile(root_ + "/" + withoutBlanks(at(arguments, 0)));
  } else if (name == "AC_DEFINE" || name == "AC_DEFINE_UNQUOTED") {
    define(arguments, name == "AC_DEFINE_UNQUOTED");
  } else if (name == "AC_USE_SYSTEM_EXTENSIONS" || name == "AC_GNU_SOURCE" ||
             (name == "AC_REQUIRE" && plain(at(arguments, 0)) == "AC_USE_SYSTEM_EXTENSIONS")) {
    define({"_GNU_SOURCE", "1"}, false);
  } else if (name == "AS_IF") {
    bool isUnknown = false, isDone = false;
    for (size_t i = 0; i < arguments.size() && !isDone; i += 2) {
      const bool isElse = i + 1 == arguments.size();
      if (isElse && i == 0) break;
      const BuildAnswer answer = isElse ? BuildAnswer::Yes : decide(arguments[i]);
      isUnknown |= answer == BuildAnswer::Unknown;
      unknown_ += isUnknown ? 1 : 0;
      if (answer != BuildAnswer::No) runText(arguments[isElse ? i : i + 1]);
      unknown_ -= isUnknown ? 1 : 0;
      isDone = answer == BuildAnswer::Yes;
    }
  } else if (name == "AS_CASE") {
    std::string text = "case " + at(arguments, 0) + " in\n";
    for (size_t i = 1; i < arguments.size(); i += 2) {
      const bool isElse = i + 1 == arguments.size();
      text += (isElse ? "*" : plain(arguments[i])) + ")\n" + arguments[isElse ? i : i + 1] + "\n;;\n";
    }
    runText(text + "esac\n");
  } else if (name == "AC_ARG_ENABLE" || name == "AC_ARG_WITH") {
    runText(at(arguments, 3));  // nobody asks for anything
  } else if (name == "AC_CACHE_CHECK" || name == "AC_CACHE_VAL") {
    runText(at(arguments, name == "AC_CACHE_CHECK" ? 2 : 1));
  } else if (name == "AC_SUBST") {
    if (arguments.size() > 1) runLine(arguments[0] + "=" + arguments[1]);
  } else if (name == "AS_VAR_SET") {
    set(plain(at(arguments, 0)), variables_.expand(plain(at(arguments, 1))));
  } else if (name == "AS_VAR_IF") {
    const std::string value = variables_.valueOf(plain(at(arguments, 0)));
    const bool is = value == at(arguments, 1);
    choose(isKnownValue(value) ? buildAnswer(is) : BuildAnswer::Unknown, at(arguments, 2), at(arguments, 3));
  } else if (name == "AS_VAR_APPEND") {
    const std::string variable = plain(at(arguments, 0));
    set(variable, variables_.valueOf(variable) + variables_.expand(plain(at(arguments, 1))));
  } else if (name == "m4_ifdef") {
    runText(macros_.contains(at(arguments, 0)) ? at(arguments, 1) : at(arguments, 2));
  } else if (name == "m4_ifndef") {
    if (!macros_.contains(at(arguments, 0))) runText(at(arguments, 1));
  } else if (name.starts_with("AC_MSG_") || name.starts_with("AC_REQUIRE") ||
             name.starts_with("AC_CONFIG_") || name == "AC_OUTPUT" || name == "AC_INIT" ||
             name == "AC_PREREQ" || name == "AM_CONDITIONAL" || name == "AH_TEMPLATE" || name == "AH_TOP" ||
             name == "AH_BOTTOM" || name == "AH_VERBATIM" || name == "AS_HELP_STRING" ||
             name == "m4_popdef" || name == "m4_pattern_allow" || name == "AC_LANG_PUSH" ||
             name == "AC_LANG_POP" || name == "m4_warn" || name == "AC_BEFORE") {
    return true;
  } else {
    return false;
  }
  return true;
}

std::string ConfigureRun::programOf(const std::string& argument) const {
  const std::string text = withoutBlanks(argument);
  const std::string name = wordAt(text, 0);
  size_t behind = name.size();
  if (name == "AC_LANG_PROGRAM" || name == "AC_LANG_SOURCE" || name == "AC_LANG_CALL") {
    const Texts parts = behind < text.size() ? macroArguments(text, behind) : Texts();
    // In double brackets, one level is left.
    const auto part = [&](size_t i) {
      std::string inside = withoutBlanks(at(parts, i));
      if (inside.starts_with('[') && inside.ends_with(']')) inside = inside.substr(1, inside.size() - 2);
      return inside;
    };
    if (name == "AC_LANG_SOURCE") return part(0) + "\n";
    if (name == "AC_LANG_CALL")
      return "/* AC_LANG_CALL */\n" + part(0) + "\nchar " + part(1) + "();\nint main(void) { return " +
             part(1) + "(); }\n";
    return part(0) + "\nint main(void) {\n" + part(1) + "\n; return 0; }\n";
  }
  return text + "\n";
}

bool ConfigureRun::runCheck(const std::string& name, const Texts& arguments) {
  const auto compiled = [&](const std::string& program) {
    if (program.find('$') != std::string::npos) return BuildAnswer::Unknown;
    // As confdefs.h: what is defined so far, as far as the text speaks of it.
    std::string before = "#define _GNU_SOURCE 1\n";
    for (const auto& [macro, value] : found_.defined)
      if (program.find(macro) != std::string::npos) before += "#define " + macro + " " + value + "\n";
    const BuildAnswer answer = checks_.compiles(before + program);
    // Whether what the text itself declares is there, only a linker would tell.
    const bool isDeclared =
        program.find("extern") != std::string::npos || program.find("AC_LANG_CALL") != std::string::npos;
    const bool isLinked = name.find("LINK") != std::string::npos || name.find("RUN") != std::string::npos;
    return answer == BuildAnswer::Yes && isLinked && isDeclared ? BuildAnswer::Unknown : answer;
  };
  const std::string yes = at(arguments, 1), no = at(arguments, 2);
  if (name == "AC_COMPILE_IFELSE" || name == "AC_LINK_IFELSE" || name == "AC_PREPROC_IFELSE") {
    choose(compiled(programOf(at(arguments, 0))), yes, no);
  } else if (name == "AC_RUN_IFELSE" || name == "AC_TRY_RUN") {
    // What it does when it runs is not known.
    const bool isNo = compiled(programOf(at(arguments, 0))) == BuildAnswer::No;
    choose(isNo ? BuildAnswer::No : BuildAnswer::Unknown, yes, no);
  } else if (name == "AC_TRY_COMPILE" || name == "AC_TRY_LINK") {
    choose(compiled(at(arguments, 0) + "\nint main(void) {\n" + at(arguments, 1) + "\n; return 0; }\n"),
           at(arguments, 2), at(arguments, 3));
  } else if (name == "AX_TLS") {
    set("ac_cv_tls", "__thread");
    runText(at(arguments, 0));
    if (at(arguments, 0).empty()) define({"TLS", "__thread"}, false);
  } else if (name == "AX_PTHREAD" || name == "ACX_PTHREAD") {
    for (const char* variable : {"ax_pthread_ok", "acx_pthread_ok"}) set(variable, "yes");
    set("PTHREAD_CFLAGS", "-pthread");
    if (at(arguments, 0).empty()) define({"HAVE_PTHREAD", "1"}, false);
    runText(at(arguments, 0));
  } else if (name == "AC_SEARCH_LIBS") {
    const BuildAnswer has = checks_.hasFunction(plain(at(arguments, 0)));
    set("ac_cv_search_" + cacheName(at(arguments, 0)),
        has == BuildAnswer::Yes ? "none required" : std::string(1, kUnknownValue));
    choose(has == BuildAnswer::Yes ? has : BuildAnswer::Unknown, at(arguments, 2), at(arguments, 3));
  } else if (name == "AC_CHECK_LIB") {
    const std::string library = plain(at(arguments, 0));
    const bool isOfSystem = library == "pthread" || library == "m" || library == "rt" || library == "dl" ||
                            library == "c" || library == "util";
    const bool has = isOfSystem && checks_.hasFunction(plain(at(arguments, 1))) == BuildAnswer::Yes;
    set("ac_cv_lib_" + cacheName(library) + "_" + cacheName(at(arguments, 1)),
        has ? "yes" : std::string(1, kUnknownValue));
    if (has && at(arguments, 2).empty()) define({"HAVE_LIB" + upperCase(cacheName(library)), "1"}, false);
    choose(has ? BuildAnswer::Yes : BuildAnswer::Unknown, at(arguments, 2), at(arguments, 3));
  } else if (name == "AC_CHECK_SIZEOF") {
    const std::string type = withoutBlanks(plain(at(arguments, 0)));
    const std::string size = checks_.sizeOf(type, kUsualIncludes);
    set("ac_cv_sizeof_" + cacheName(type), size.empty() ? std::string(1, kUnknownValue) : size);
  } else if (name == "AC_C_BIGENDIAN") {
    runText(at(arguments, 1));
  } else {
    return false;
  }
  return true;
}

bool ConfigureRun::runListCheck(const std::string& name, const Texts& arguments) {
  struct Kind {
    const char *one, *many, *cache;
  };
  for (const Kind& kind : {Kind{"AC_CHECK_HEADER", "AC_CHECK_HEADERS", "ac_cv_header_"},
                           Kind{"AC_CHECK_FUNC", "AC_CHECK_FUNCS", "ac_cv_func_"},
                           Kind{"AC_CHECK_DECL", "AC_CHECK_DECLS", "ac_cv_have_decl_"},
                           Kind{"AC_CHECK_TYPE", "AC_CHECK_TYPES", "ac_cv_type_"},
                           Kind{"AC_CHECK_MEMBER", "AC_CHECK_MEMBERS", "ac_cv_member_"}}) {
    const bool isList = name == kind.many || name == std::string(kind.many) + "_ONCE";
    if (name != kind.one && !isList) continue;
    const std::string cache = kind.cache;
    const bool isByCommas = cache != "ac_cv_header_" && cache != "ac_cv_func_";
    std::string given = plain(at(arguments, 0));
    if (given.find('$') != std::string::npos) given = variables_.expand(given);
    const Texts names = isList ? namesOf(given, isByCommas) : Texts{withoutBlanks(given)};
    const std::string includes = "#define _GNU_SOURCE 1\n" +
                                 (at(arguments, 3).empty() ? kUsualIncludes : plain(at(arguments, 3)) + "\n");
    for (const std::string& what : names) {
      BuildAnswer has = BuildAnswer::Unknown;
      if (!isKnownValue(what))
        continue;
      else if (cache == "ac_cv_header_")
        has = buildAnswer(checks_.system().hasHeader(what));
      else if (cache == "ac_cv_func_")
        has = checks_.hasFunction(what);
      else if (cache == "ac_cv_have_decl_")
        has = checks_.compiles(includes + "int main(void) {\n#ifndef " + what + "\n(void)" + what +
                               ";\n#endif\nreturn 0; }\n");
      else if (cache == "ac_cv_type_")
        has = checks_.hasType(what, includes);
      else if (const size_t dot = what.find('.'); dot != std::string::npos)
        has = checks_.compiles(includes + "int main(void) { static " + what.substr(0, dot) +
                               " x; (void)sizeof(x." + what.substr(dot + 1) + "); return 0; }\n");
      if (has != BuildAnswer::Unknown) set(cache + cacheName(what), has == BuildAnswer::Yes ? "yes" : "no");
      const std::string macro =
          "HAVE_" + std::string(cache == "ac_cv_have_decl_" ? "DECL_" : "") + upperCase(cacheName(what));
      if (isList && has == BuildAnswer::Yes) define({macro, "1"}, false);
      if (isList && has == BuildAnswer::No && cache == "ac_cv_have_decl_") define({macro, "0"}, false);
      choose(has, at(arguments, 1), at(arguments, 2));
    }
    return true;
  }
  return false;
}

}  // namespace heddle
