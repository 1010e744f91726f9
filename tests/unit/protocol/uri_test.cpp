#include "protocol/uri.h"

#include <gtest/gtest.h>

namespace heddle::lsp {
namespace {

TEST(Uri, EveryByteSurvives) {
  for (int c = 1; c < 256; ++c) {
    const std::string path = std::string("/a") + static_cast<char>(c) + "b/c";
    EXPECT_EQ(pathFromUri(uriFromPath(path)), path) << c;
  }
}

TEST(Uri, Escapes) {
  EXPECT_EQ(uriFromPath("/a b/ä+%.c"), "file:///a%20b/%C3%A4%2B%25.c");
  EXPECT_EQ(uriFromPath("/A-z_0.9~"), "file:///A-z_0.9~");
}

TEST(Uri, SpellingsOfOnePath) {
  for (const char* uri :
       {"file:///a/b.c", "FILE:///a/b.c", "file:/a/b.c", "file://localhost/a/b.c", "file:///a/%62.c",
        "file:///a%2fb.c", "file:///a%2Fb.c", "file:///a/b.c?x=1", "file:///a/b.c#L3"}) {
    EXPECT_EQ(pathFromUri(uri), "/a/b.c") << uri;
  }
  EXPECT_EQ(pathFromUri("file:///"), "/");
}

TEST(Uri, WhatWasNeverSavedHasAPathInNoFolder) {
  for (const char* uri : {"untitled:Untitled-1", "untitled:/a/new%20file.c"}) {
    const auto path = pathFromUri(uri);
    ASSERT_TRUE(path) << uri;
    EXPECT_EQ(path->front(), '/');
    EXPECT_EQ(uriFromPath(*path), uri);
  }
}

TEST(Uri, NotAPath) {
  for (const char* uri : {"", "file", "file:", "file://", "file:a.c", "file://host/a.c", "http://x/a.c",
                          "/a/b.c", "file:///a%", "file:///a%4", "file:///a%zz", "file:///a%00b"}) {
    EXPECT_EQ(pathFromUri(uri), std::nullopt) << uri;
  }
}

}  // namespace
}  // namespace heddle::lsp
