#include "server/diagnostics_page.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "analysis/support/installation.h"

namespace heddle {

std::string diagnosticsPage() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path binary = programPath();
  if (binary.empty()) return "";
  for (const char* place : {"../../docs/diagnostics.md", "../share/doc/heddle/diagnostics.md"}) {
    const fs::path page = (binary.parent_path() / place).lexically_normal();
    if (fs::is_regular_file(page, error)) return page.string();
  }
  return "";
}

std::map<std::string, std::string> sectionsOf(std::string_view page) {
  constexpr std::string_view kHeading = "\n## `";
  std::map<std::string, std::string> sections;
  for (size_t at = page.find(kHeading); at != std::string_view::npos;) {
    const size_t name = at + kHeading.size(), close = page.find('`', name), line = page.find('\n', name);
    const size_t next = page.find("\n## ", name);
    if (close < line && line != std::string_view::npos) {
      std::string_view body = page.substr(line, next == std::string_view::npos ? next : next - line);
      const size_t begin = body.find_first_not_of('\n'), end = body.find_last_not_of('\n');
      if (begin != std::string_view::npos)
        sections.emplace(page.substr(name, close - name), body.substr(begin, end + 1 - begin));
    }
    at = page.find(kHeading, name);
  }
  return sections;
}

std::map<std::string, std::string> diagnosticsSections() {
  std::ifstream file(diagnosticsPage(), std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  return sectionsOf(text.str());
}

}  // namespace heddle
