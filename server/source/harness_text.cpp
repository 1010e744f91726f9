#include "server/source/harness_text.h"

#include <cctype>
#include <set>

#include "server/source/harness.h"

namespace heddle {

std::string threadText(unsigned number, const std::string& call) {
  return "static void *heddle_thread_" + std::to_string(number) +
         "(void *heddle_unused) {\n  (void)heddle_unused;\n  " + call + ";\n  return 0;\n}\n";
}

std::string startText(unsigned number) {
  const std::string thread = std::to_string(number);
  return "pthread_create(&heddle_" + thread + ", 0, heddle_thread_" + thread + ", 0);\n";
}

std::string joinText(unsigned number) {
  return "pthread_join(heddle_" + std::to_string(number) + ", 0);\n";
}

std::string threadVariables(unsigned count) {
  std::string variables;
  for (unsigned i = 1; i <= count; ++i) variables += (i == 1 ? "heddle_" : ", heddle_") + std::to_string(i);
  return "  pthread_t " + variables + ";\n";
}

std::string frameText(HarnessWriter& writer, const std::string& threads, const std::string& first,
                      const std::string& body) {
  const std::string end = writer.takeDown();
  return "\n" + std::string(kThreadNames) + "#include <stdlib.h>\n" + writer.globals + threads + "int " +
         kHarnessEntry + "(void) {\n" + first + writer.setUp + body + end + "  return 0;\n}\n";
}

std::string HarnessWriter::withArguments(const std::string& call) {
  if (!givesArguments) return call + ";\n";
  const std::string list = kGivenArguments;
  globals += "static void heddle_with(int heddle_first, ...) {\n  __builtin_va_list " + list +
             ";\n  __builtin_va_start(" + list + ", heddle_first);\n  " + call + ";\n  __builtin_va_end(" +
             list + ");\n}\n";
  const std::string any = ", __VERIFIER_nondet_bool() ? (void *)heddle_bytes : (void *)0";
  return "heddle_with(0" + any + any + any + ");\n";
}

bool repeatsObject(const std::string& call) {
  const std::string object = "heddle_object";
  std::set<std::string> seen;
  for (size_t at = call.find(object); at != std::string::npos; at = call.find(object, at + 1)) {
    size_t end = at + object.size();
    while (end < call.size() && std::isdigit(static_cast<unsigned char>(call[end])) != 0) ++end;
    if (!seen.insert(call.substr(at, end - at)).second) return true;
  }
  return false;
}

std::string inTurnText(std::string text, const std::string& body, const std::string& first,
                       const std::vector<std::string>& turns) {
  std::string forwards, backwards;
  for (const std::string& turn : turns) {
    forwards += turn;
    backwards.insert(0, turn);
  }
  return text.replace(text.find(body), body.size(),
                      first + "  _Bool __VERIFIER_nondet_bool(void);\n  if (__VERIFIER_nondet_bool()) {\n" +
                          forwards + "  } else {\n" + backwards + "  }\n");
}

}  // namespace heddle
