// weak_reference FIRST COUNT [plain,loops,inputs]: random programs, the engine beside the enumerator, under
// each model. weak_reference litmus: the table of litmus tests.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tests/weak/compare.h"

int main(int argc, char** argv) {
  using namespace heddle::weak;
  if (argc == 2 && std::strcmp(argv[1], "litmus") == 0) {
    int wrong = 0;
    for (const LitmusTest& test : litmusTests())
      for (const Model model : kModels) {
        const std::string differences = compare(test.program, model);
        bool isAllowed = false;
        for (const Outcome& outcome : enumerate(test.program, model).all) {
          bool matches = true;
          for (size_t i = 0; i < outcome.size(); ++i)
            matches = matches && (test.outcome[i] < 0 || test.outcome[i] == outcome[i]);
          isAllowed = isAllowed || matches;
        }
        if (differences.empty() && isAllowed == test.isAllowed[static_cast<int>(model)]) continue;
        ++wrong;
        std::printf("%s under %s: enumerator says %s\n%s", test.name.c_str(), nameOf(model),
                    isAllowed ? "allowed" : "forbidden", differences.c_str());
      }
    std::printf("%zu tests, %d wrong\n", litmusTests().size(), wrong);
    return wrong != 0;
  }
  if (argc < 3) return 2;
  const uint64_t first = std::strtoull(argv[1], nullptr, 10), count = std::strtoull(argv[2], nullptr, 10);
  const std::string kinds = argc > 3 ? argv[3] : "";
  RandomOptions options;
  options.withPlain = kinds.find("plain") != std::string::npos;
  options.withLoops = kinds.find("loops") != std::string::npos;
  options.withInputs = kinds.find("inputs") != std::string::npos;
  int different = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const LitmusProgram program = randomLitmus(seed, options);
    for (const Model model : kModels) {
      const std::string text = compare(program, model);
      if (text.empty()) continue;
      ++different;
      std::printf("seed %llu\n%s%s\n", static_cast<unsigned long long>(seed), text.c_str(),
                  textOf(program).c_str());
    }
  }
  std::printf("%llu programs, %d different\n", static_cast<unsigned long long>(count), different);
  return different != 0;
}
