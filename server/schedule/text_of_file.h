// The text of a file of the workspace, read by the server itself. Files come from anywhere: only regular ones
// of at most 8 MiB are read, so that a device or a huge file stops nobody. Any thread may call it.
#pragma once

#include <optional>
#include <string>

namespace heddle {

/// None where the file is missing, is no regular file, is larger than 8 MiB, or cannot be read.
std::optional<std::string> textOfFile(const std::string& path);

}  // namespace heddle
