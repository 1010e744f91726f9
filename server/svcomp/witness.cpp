#include "server/svcomp/witness.h"

#include <yaml-cpp/yaml.h>

namespace heddle::svcomp {
namespace {

void emit(YAML::Emitter& out, const Waypoint& point, bool hasThreads) {
  out << YAML::BeginMap << YAML::Key << "waypoint" << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "type" << YAML::Value << point.type;
  out << YAML::Key << "action" << YAML::Value << point.action;
  if (hasThreads) out << YAML::Key << "thread_id" << YAML::Value << point.thread;
  if (!point.constraint.empty()) {
    out << YAML::Key << "constraint" << YAML::Value << YAML::BeginMap;
    out << YAML::Key << "value" << YAML::Value << YAML::DoubleQuoted << point.constraint;
    out << YAML::Key << "format" << YAML::Value << point.format << YAML::EndMap;
  }
  out << YAML::Key << "location" << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "file_name" << YAML::Value << YAML::DoubleQuoted << point.file;
  out << YAML::Key << "line" << YAML::Value << point.line;
  if (point.column != 0) out << YAML::Key << "column" << YAML::Value << point.column;
  if (!point.function.empty()) out << YAML::Key << "function" << YAML::Value << point.function;
  out << YAML::EndMap << YAML::EndMap << YAML::EndMap;
}

void emitMetadata(YAML::Emitter& out, const Witness& witness) {
  out << YAML::Key << "metadata" << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "format_version" << YAML::Value << YAML::DoubleQuoted << witness.version;
  out << YAML::Key << "uuid" << YAML::Value << YAML::DoubleQuoted << witness.uuid;
  out << YAML::Key << "creation_time" << YAML::Value << YAML::DoubleQuoted << witness.time;
  out << YAML::Key << "producer" << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "name" << YAML::Value << YAML::DoubleQuoted << witness.producer;
  out << YAML::Key << "version" << YAML::Value << YAML::DoubleQuoted << witness.producerVersion
      << YAML::EndMap;
  out << YAML::Key << "task" << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "input_files" << YAML::Value << YAML::BeginSeq;
  for (const WitnessFile& file : witness.files) out << YAML::DoubleQuoted << file.name;
  out << YAML::EndSeq << YAML::Key << "input_file_hashes" << YAML::Value << YAML::BeginMap;
  for (const WitnessFile& file : witness.files)
    out << YAML::Key << YAML::DoubleQuoted << file.name << YAML::Value << YAML::DoubleQuoted << file.hash;
  out << YAML::EndMap;
  out << YAML::Key << "specification" << YAML::Value << YAML::DoubleQuoted << witness.specification;
  out << YAML::Key << "data_model" << YAML::Value << YAML::DoubleQuoted << witness.dataModel;
  out << YAML::Key << "language" << YAML::Value << YAML::DoubleQuoted << "C";
  out << YAML::EndMap << YAML::EndMap;
}

std::string textOf(const YAML::Node& node) {
  return node && node.IsScalar() ? node.Scalar() : std::string();
}

uint32_t numberOf(const YAML::Node& node) {
  return node && node.IsScalar() ? node.as<uint32_t>(0) : 0;
}

std::optional<Waypoint> waypointOf(const YAML::Node& node, std::string& problem) {
  Waypoint point;
  point.type = textOf(node["type"]);
  point.action = textOf(node["action"]);
  point.thread = numberOf(node["thread_id"]);
  if (const YAML::Node constraint = node["constraint"]; constraint && constraint.IsMap()) {
    point.constraint = textOf(constraint["value"]);
    point.format = textOf(constraint["format"]);
  }
  if (const YAML::Node location = node["location"]; location && location.IsMap()) {
    point.file = textOf(location["file_name"]);
    point.line = numberOf(location["line"]);
    point.column = numberOf(location["column"]);
    point.function = textOf(location["function"]);
  }
  if (!point.type.empty() && !point.action.empty() && point.line != 0) return point;
  problem = "a waypoint without a type, an action or a line";
  return std::nullopt;
}

void takeMetadata(const YAML::Node& node, Witness& witness) {
  if (!node || !node.IsMap()) return;
  witness.version = textOf(node["format_version"]);
  witness.uuid = textOf(node["uuid"]);
  witness.time = textOf(node["creation_time"]);
  if (const YAML::Node producer = node["producer"]; producer && producer.IsMap()) {
    witness.producer = textOf(producer["name"]);
    witness.producerVersion = textOf(producer["version"]);
  }
  const YAML::Node task = node["task"];
  if (!task || !task.IsMap()) return;
  const YAML::Node hashes = task["input_file_hashes"];
  for (const YAML::Node& file : task["input_files"]) {
    const std::string name = textOf(file);
    witness.files.push_back({name, hashes && hashes.IsMap() ? textOf(hashes[name]) : std::string()});
  }
  witness.specification = textOf(task["specification"]);
  witness.dataModel = textOf(task["data_model"]);
}

bool takeSegments(const YAML::Node& content, Witness& witness, std::string& problem) {
  for (const YAML::Node& each : content) {
    const YAML::Node points = each.IsMap() ? each["segment"] : YAML::Node();
    if (!points || !points.IsSequence()) {
      problem = "its content has something else than segments";
      return false;
    }
    std::vector<Waypoint>& segment = witness.segments.emplace_back();
    for (const YAML::Node& item : points) {
      const YAML::Node point = item.IsMap() ? item["waypoint"] : YAML::Node();
      if (!point || !point.IsMap()) {
        problem = "a segment has something else than waypoints";
        return false;
      }
      std::optional<Waypoint> taken = waypointOf(point, problem);
      if (!taken) return false;
      segment.push_back(std::move(*taken));
    }
  }
  return true;
}

}  // namespace

std::string toYaml(const Witness& witness) {
  const bool hasThreads = witness.version != "2.0";
  YAML::Emitter out;
  out << YAML::BeginSeq << YAML::BeginMap;
  out << YAML::Key << "entry_type" << YAML::Value
      << (witness.isViolation ? "violation_sequence" : "invariant_set");
  emitMetadata(out, witness);
  out << YAML::Key << "content" << YAML::Value;
  if (witness.segments.empty()) out << YAML::Flow;
  out << YAML::BeginSeq;
  for (const std::vector<Waypoint>& segment : witness.segments) {
    out << YAML::BeginMap << YAML::Key << "segment" << YAML::Value << YAML::BeginSeq;
    for (const Waypoint& point : segment) emit(out, point, hasThreads);
    out << YAML::EndSeq << YAML::EndMap;
  }
  out << YAML::EndSeq << YAML::EndMap << YAML::EndSeq;
  return std::string(out.c_str()) + "\n";
}

std::optional<Witness> parseWitness(const std::string& text, std::string& problem) {
  try {
    const YAML::Node root = YAML::Load(text);
    if (!root.IsSequence()) {
      problem = "no list of entries; give a witness of format 2.0 (YAML)";
      return std::nullopt;
    }
    for (const YAML::Node& entry : root) {
      const std::string type = entry.IsMap() ? textOf(entry["entry_type"]) : std::string();
      if (type != "violation_sequence" && type != "invariant_set") continue;
      Witness witness;
      witness.isViolation = type == "violation_sequence";
      takeMetadata(entry["metadata"], witness);
      const YAML::Node content = entry["content"];
      if (!witness.isViolation) {
        witness.invariants = content && content.IsSequence() ? content.size() : 0;
        return witness;
      }
      if (!content || !content.IsSequence()) {
        problem = "an entry without content";
        return std::nullopt;
      }
      if (!takeSegments(content, witness, problem)) return std::nullopt;
      return witness;
    }
    problem = "no entry 'violation_sequence' or 'invariant_set' in it";
  } catch (const YAML::Exception& error) {
    problem = "line " + std::to_string(error.mark.line + 1) + ": " + error.msg;
  }
  return std::nullopt;
}

}  // namespace heddle::svcomp
