#include "analysis/diagnose/reachability.h"

#include <gtest/gtest.h>

#include <random>

namespace heddle::test {
namespace {

TEST(Reachability, IsThePlainClosureOfRandomGraphs) {
  std::mt19937 random(1);
  for (int graph = 0; graph < 200; ++graph) {
    const size_t size = 1 + random() % 90;  // more than one word
    Reachability grown(size);
    std::vector<std::vector<bool>> plain(size, std::vector<bool>(size));
    for (size_t edge = 0; edge < size + random() % size; ++edge) {
      const size_t from = random() % size, to = random() % size;
      grown.add(from, to);
      plain[from][to] = true;
    }
    for (size_t k = 0; k < size; ++k)
      for (size_t i = 0; i < size; ++i)
        for (size_t j = 0; j < size; ++j) plain[i][j] = plain[i][j] || (plain[i][k] && plain[k][j]);
    bool isCyclic = false;
    for (size_t i = 0; i < size; ++i) {
      isCyclic = isCyclic || plain[i][i];
      for (size_t j = 0; j < size; ++j) ASSERT_EQ(grown.leads(i, j), plain[i][j]) << graph;
    }
    ASSERT_EQ(grown.isCyclic(), isCyclic);
  }
}

}  // namespace
}  // namespace heddle::test
