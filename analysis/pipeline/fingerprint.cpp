#include "analysis/pipeline/fingerprint.h"

#include <string_view>

namespace heddle {

namespace {

class Fnv {
 public:
  void add(std::string_view bytes) {
    for (const char c : bytes) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
  }
  void add(uint64_t number) { add({reinterpret_cast<const char*>(&number), sizeof number}); }
  void addText(std::string_view text) {
    add(text.size());
    add(text);
  }
  uint64_t value() const { return hash_; }

 private:
  uint64_t hash_ = 0xCBF29CE484222325ull;
};

}  // namespace

uint64_t fingerprint(const Program& program, const Snapshot& snapshot, const Options& options,
                     const ExploreOptions& exploreOptions) {
  Fnv fnv;
  fnv.addText(snapshot.text);
  for (const std::string& argument : snapshot.command.arguments) fnv.addText(argument);
  // Headers count by what they were compiled to.
  fnv.addText(
      {reinterpret_cast<const char*>(program.code.data()), program.code.size() * sizeof(Instruction)});
  fnv.addText(options.entry);
  fnv.add(exploreOptions.unroll);
  fnv.add(exploreOptions.maxRunEvents);
  fnv.add(exploreOptions.mergePaths);
  fnv.add(options.everyAccessIsEvent);
  const Environment& environment = snapshot.environment;
  fnv.add(environment.mallocMayFail);
  fnv.add(environment.callsSucceed);
  fnv.add(environment.creations.has_value());
  fnv.add(environment.creations.value_or(0));
  fnv.add(environment.checkLeaks);
  fnv.add(environment.undefinedIsInput);
  fnv.add(environment.keepsLocals);
  fnv.add(environment.noSpuriousWakeups);
  fnv.add(environment.noWeakFailures);
  fnv.add(environment.volatileIsAtomic);
  fnv.add(static_cast<uint64_t>(environment.signals));
  fnv.add(static_cast<uint64_t>(environment.unknown));
  for (const auto& [name, effect] : environment.unknownByName) {
    fnv.addText(name);
    fnv.add(static_cast<uint64_t>(effect));
  }
  return fnv.value();
}

}  // namespace heddle
