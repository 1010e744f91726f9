// File URIs and paths (POSIX paths only). Functions of their arguments, no file system access; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heddle::lsp {

/// As the client spells it. Two spellings can name one file: compare pathFromUri, answer with the client's
/// spelling.
using DocumentUri = std::string;

/// The absolute path of a file: URI, with its escapes decoded. For an untitled: URI, a path in a folder that
/// nobody can have, from which uriFromPath makes the URI again. nullopt for other schemes, other hosts, a
/// relative path, a malformed escape or an escaped NUL. Query and fragment are dropped.
std::optional<std::string> pathFromUri(std::string_view uri);

/// `path` must be absolute. All but unreserved characters and '/' are escaped, as VS Code does it.
DocumentUri uriFromPath(std::string_view path);

}  // namespace heddle::lsp
