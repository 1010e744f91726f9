#include "analysis/enforce/enforced_program.h"

#include <llvm/IR/Module.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "analysis/compile/link_units.h"
#include "analysis/enforce/instrument.h"
#include "analysis/enforce/runtime_text.h"

namespace heddle {

namespace {

void replace(std::string& text, std::string_view what, const std::string& with) {
  const size_t at = text.find("\n" + std::string(what) + "\n");
  text.replace(at + 1, what.size(), with);
}

/// The threads of a prefix and those that create them, by their labels, creators first.
std::vector<std::string> threadsOf(const Prefix& prefix, const std::vector<InputRange>& assumed) {
  std::vector<std::string> labels = {"T0"};
  const auto add = [&](const std::string& label, const auto& self) -> void {
    if (std::find(labels.begin(), labels.end(), label) != labels.end()) return;
    const size_t dot = label.rfind('.');
    if (dot != std::string::npos) self(label.substr(0, dot), self);
    labels.push_back(label);
  };
  for (const Constraint& c : prefix.constraints) {
    add(c.first.thread, add);
    add(c.then.thread, add);
    for (const InputRange& range : c.when) add(range.input.thread, add);
  }
  for (const InputRange& range : assumed) add(range.input.thread, add);
  return labels;
}

std::string ordinalOf(const std::string& label) {
  const size_t dot = label.rfind('.');
  return dot == std::string::npos ? label.substr(1) : label.substr(dot + 1);
}

/// As C: the least number has no literal of its own.
std::string literal(int64_t value) {
  return value == std::numeric_limits<int64_t>::min() ? "(-9223372036854775807LL - 1)"
                                                      : std::to_string(value) + "LL";
}

/// The tables of a prefix as C.
class Tables {
 public:
  Tables(const Prefix& prefix, const std::vector<InputRange>& assumed)
      : threads_(threadsOf(prefix, assumed)) {
    for (const Constraint& c : prefix.constraints) {
      sites_.insert(c.first.site);
      sites_.insert(c.then.site);
      const auto next = static_cast<uint32_t>(sources_.size());
      const uint32_t source = sources_.try_emplace({c.first, c.when}, next).first->second;
      waits_[c.then.site].push_back({c.then, source});
    }
    for (const auto& [key, source] : sources_) {
      tells_[key.first.site].push_back({key.first, source});
      for (const InputRange& range : key.second) settles_[range.input.site][range].push_back(source);
    }
    for (const InputRange& range : assumed) settles_[range.input.site][range];
    for (const auto& [site, ranges] : settles_) sites_.insert(site);
  }

  const std::set<uint32_t>& sites() const { return sites_; }
  std::set<uint32_t> tells() const {
    std::set<uint32_t> out;
    for (const auto& [site, rows] : tells_) out.insert(site);
    return out;
  }
  /// Whose inputs conditions are about.
  std::set<uint32_t> sees() const {
    std::set<uint32_t> out;
    for (const auto& [site, ranges] : settles_) out.insert(site);
    return out;
  }

  /// `relaxFrom`, `fingerprint`: see enforcedModule.
  std::string text(EnforcedFor what, const std::string& relaxFrom, uint64_t fingerprint) {
    std::string out = enforceRuntime(), waits, tells, sites, threads, runs, table, c11Table, ranges, settled;
    size_t waitCount = 0, tellCount = 0, rangeCount = 0, settledCount = 0;
    for (const uint32_t site : sites_) {
      uint32_t last = 0;
      const std::string waitRange = rows(waits_[site], waits, waitCount, last);
      const std::string tellRange = rows(tells_[site], tells, tellCount, last);
      const std::string inputs = std::to_string(rangeCount);
      for (const auto& [range, sources] : settles_[site]) {
        ranges += "  {" + std::to_string(indexOf(range.input.thread)) + ", " +
                  std::to_string(range.input.pass) + ", " + literal(range.low) + ", " + literal(range.high) +
                  ", " + std::to_string(settledCount) + ", " + std::to_string(settledCount + sources.size()) +
                  "},\n";
        for (const uint32_t source : sources) settled += std::to_string(source) + ", ";
        settledCount += sources.size();
        last = std::max(last, range.input.pass);
        ++rangeCount;
      }
      sites += "  {" + waitRange + ", " + tellRange + ", " + inputs + ", " + std::to_string(rangeCount) +
               ", " + std::to_string(last) + "},\n";
    }
    for (size_t i = 0; i < threads_.size(); ++i) {
      const std::string number = std::to_string(i);
      if (i == 0) {
        threads += "  {NO_THREAD, 0},\n";
        table += "NULL";
        c11Table += "NULL";
        continue;
      }
      threads +=
          "  {" + std::to_string(indexOf(parentOf(threads_[i]))) + ", " + ordinalOf(threads_[i]) + "},\n";
      runs += "static void *run_" + number + "(void *unused) {\n  (void)unused;\n  return run(" + number +
              ");\n}\nstatic int c11_run_" + number + "(void *unused) {\n  (void)unused;\n  return run_c11(" +
              number + ");\n}\n";
      table += ", run_" + number;
      c11Table += ", c11_run_" + number;
    }
    replace(out, "HEDDLE_CONSTRAINTS",
            "enum { ENFORCED_THREADS = " + std::to_string(threads_.size()) + ", ENFORCED_SITES = " +
                std::to_string(sites_.size()) + ", ENFORCED_SOURCES = " + std::to_string(sources_.size()) +
                " };\nstatic "
                "const struct enforced_event enforced_waits[] = {\n" +
                waits + "  {NO_THREAD, 0, 0}};\nstatic const struct enforced_event enforced_tells[] = {\n" +
                tells + "  {NO_THREAD, 0, 0}};\nstatic const struct enforced_site enforced_sites[] = {\n" +
                sites + "};\nstatic const struct enforced_range enforced_ranges[] = {\n" + ranges +
                "  {NO_THREAD, 0, 0, 0, 0, 0}};\nstatic const unsigned enforced_settled[] = {" + settled +
                "0};\nstatic const struct enforced_thread enforced_threads[] = {\n" + threads + "};");
    if (!relaxFrom.empty() && what != EnforcedFor::Exploring)
      out.insert(out.find("#ifdef HEDDLE_MODEL"), relaxText(relaxFrom, fingerprint));
    replace(out, "HEDDLE_RUNS",
            runs + "static void *(*const enforced_runs[])(void *) = {" + table +
                "};\nstatic int (*const enforced_c11_runs[])(void *) = {" + c11Table + "};");
    return (what == EnforcedFor::Exploring ? "#define HEDDLE_MODEL 1\n" : "") + out;
  }

 private:
  using Row = std::pair<SiteEvent, uint32_t>;

  /// Which wait each line of a prefix file stands for.
  std::string relaxText(const std::string& relaxFrom, uint64_t fingerprint) const {
    std::string path, lines;
    for (const char c : relaxFrom)
      path += (c == '"' || c == '\\') ? std::string("\\") + c : c == '\n' ? "\\n" : std::string(1, c);
    size_t wait = 0;
    for (const uint32_t site : sites_) {
      const auto rows = waits_.find(site);
      if (rows == waits_.end()) continue;
      for (const Row& row : rows->second) {
        const auto first = std::find_if(sources_.begin(), sources_.end(),
                                        [&](const auto& each) { return each.second == row.second; });
        lines += "  {\"" + prefixLine({first->first.first, row.first, first->first.second}) + "\", " +
                 std::to_string(wait++) + "},\n";
      }
    }
    return "#define ENFORCED_RELAX_FROM \"" + path + "\"\n#define ENFORCED_HEADER \"" +
           prefixHeader(fingerprint) +
           "\"\nstatic const struct {\n  const char *text;\n  unsigned wait;\n} " + "enforced_lines[] = {\n" +
           lines + "};\n\n";
  }

  static std::string parentOf(const std::string& label) {
    const size_t dot = label.rfind('.');
    return dot == std::string::npos ? "T0" : label.substr(0, dot);
  }
  size_t indexOf(const std::string& label) const {
    return static_cast<size_t>(std::find(threads_.begin(), threads_.end(), label) - threads_.begin());
  }
  std::string rows(const std::vector<Row>& added, std::string& out, size_t& count, uint32_t& last) const {
    const size_t from = count;
    for (const auto& [event, source] : added) {
      out += "  {" + std::to_string(indexOf(event.thread)) + ", " + std::to_string(event.pass) + ", " +
             std::to_string(source) + "},\n";
      last = std::max(last, event.pass);
      ++count;
    }
    return std::to_string(from) + ", " + std::to_string(count);
  }

  std::vector<std::string> threads_;
  std::set<uint32_t> sites_;
  /// What is waited for, and under which condition.
  std::map<std::pair<SiteEvent, std::vector<InputRange>>, uint32_t> sources_;
  /// By site: what an input outside of the range settles.
  std::map<uint32_t, std::map<InputRange, std::vector<uint32_t>>> settles_;
  std::map<uint32_t, std::vector<Row>> waits_, tells_;
};

/// Compiles a text of ours and links it to the program. False: `prepared` says why not.
bool linkText(const std::string& name, const std::string& text, const Snapshot& snapshot,
              CompileResult& compiled, PreparedProgram& prepared) {
  thread_local Compiler compiler;
  const std::string path = snapshot.path.substr(0, snapshot.path.rfind('/')) + "/" + name;
  CompileResult unit = compiler.compile(path, text, commandFromFlags(path, {"-std=gnu17"}));
  if (!unit.module) {
    prepared.problem = "the run-time does not compile";
    for (const CompileMessage& message : unit.messages)
      if (message.isError) prepared.problem += ": " + message.text;
  } else if (const auto problem =
                 linkUnits(compiled, {std::make_shared<const UnitCode>(codeOf(std::move(unit)))})) {
    prepared.problem = "the run-time does not link: " + problem->text;
  } else {
    return true;
  }
  compiled.module.reset();
  return false;
}

bool checksOverflow(const Options& options) {
  return options.properties.count(Property::Overflow) > 0;
}

}  // namespace

PreparedProgram enforcedModule(const Snapshot& snapshot, const Options& options, const Prefix& prefix,
                               EnforcedFor what, CompileResult& compiled, std::vector<Site>& sites,
                               const std::string& relaxFrom, const std::vector<InputRange>& assumed) {
  PreparedProgram prepared = prepareModule(snapshot, checksOverflow(options), compiled);
  if (!compiled.module) return prepared;
  prepared.problem = whyNotNative(*compiled.module, snapshot.environment.signals);
  if (!prepared.problem.empty()) {
    compiled.module.reset();
    return prepared;
  }
  sites = markSites(*compiled.module, false);
  Tables tables(prefix, assumed);
  if (!tables.sites().empty() && *tables.sites().rbegin() >= sites.size()) {
    prepared.problem = "the constraints name places that the program does not have";
    compiled.module.reset();
    return prepared;
  }
  Instrumentation instrumentation;
  instrumentation.sites = tables.sites();
  instrumentation.tells = tables.tells();
  instrumentation.sees = tables.sees();
  instrumentation.isEnforcement = true;
  instrumentation.shaken = what == EnforcedFor::Shaking;
  instrument(*compiled.module, sites, instrumentation);
  // Without constraints nothing is instrumented, and there is no run-time.
  if (!tables.sites().empty() &&
      !linkText("heddle_enforce.c", tables.text(what, relaxFrom, textFingerprint(snapshot)), snapshot,
                compiled, prepared))
    return prepared;
  if (what != EnforcedFor::Exploring)
    linkText("heddle_inputs.c", inputsRuntime(), snapshot, compiled, prepared);
  return prepared;
}

PreparedProgram markedProgram(const Snapshot& snapshot, const Options& options, std::vector<Site>& sites) {
  CompileResult compiled;
  PreparedProgram prepared = prepareModule(snapshot, checksOverflow(options), compiled);
  if (!compiled.module) return prepared;
  prepared.problem = whyNotNative(*compiled.module, snapshot.environment.signals);
  if (!prepared.problem.empty()) return prepared;
  sites = markSites(*compiled.module, false);
  lowerModule(*compiled.module, snapshot, options.entry, prepared);
  return prepared;
}

Report exploreEnforced(const Snapshot& snapshot, const Options& options, const Prefix& prefix,
                       const Budget& budget, const std::vector<InputRange>& assumed) {
  const auto prepareIt = [&] {
    CompileResult compiled;
    std::vector<Site> sites;
    PreparedProgram prepared =
        enforcedModule(snapshot, options, prefix, EnforcedFor::Exploring, compiled, sites, {}, assumed);
    if (compiled.module) lowerModule(*compiled.module, snapshot, options.entry, prepared);
    return prepared;
  };
  return analyzePrepared(prepareIt, snapshot, options, budget);
}

NativeProgram enforcedProgram(const Snapshot& snapshot, const Options& options, const Prefix& prefix,
                              EnforcedFor what, const std::string& relaxFrom) {
  NativeProgram native;
  CompileResult compiled;
  std::vector<Site> sites;
  const PreparedProgram prepared =
      enforcedModule(snapshot, options, prefix, what, compiled, sites, relaxFrom);
  native.problem = prepared.problem;
  if (compiled.module) native.bitcode = bitcodeOf(*compiled.module);
  return native;
}

uint64_t textFingerprint(const Snapshot& snapshot) {
  uint64_t hash = 0xCBF29CE484222325ull;
  const auto add = [&](const std::string& text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
    hash = (hash ^ text.size()) * 0x100000001B3ull;
  };
  add(snapshot.text);
  for (const Unit& unit : snapshot.units) add(unit.text);
  for (const std::string& argument : snapshot.command.arguments) add(argument);
  return hash;
}

}  // namespace heddle
