#include "analysis/support/installation.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Installation, TheArchivesLauncherIsFoundFromItsLinker) {
  EXPECT_EQ(programPathFor("/opt/h/lib/heddle/ld-linux-x86-64.so.2"), "/opt/h/bin/heddle");
  EXPECT_EQ(programPathFor("/usr/bin/heddle"), "/usr/bin/heddle");
}

TEST(Installation, AProgramStartsItselfEvenWhenItsFileWasReplaced) {
  EXPECT_EQ(commandToStartAgain(), "/proc/self/exe");
  EXPECT_EQ(programPath().filename(), "test_compile");
}

}  // namespace
}  // namespace heddle
