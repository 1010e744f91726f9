// What the text calls memory that pointers lead to: members, elements, what an allocation is assigned to.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "analysis/program/program.h"
#include "tests/unit/program/lowered.h"

namespace heddle {
namespace {

/// What the accesses of each line are called in an object of that many bytes, at the offset that they have in
/// it.
std::map<uint32_t, std::set<std::string>> namesByLine(const Program& program, uint64_t objectSize,
                                                      uint64_t indexedOffset = 0) {
  std::map<uint32_t, std::set<std::string>> names;
  for (const auto& [place, all] : program.accessNames)
    for (const AccessName& name : all) {
      const auto offset = name.isIndexed ? indexedOffset : static_cast<uint64_t>(name.offset);
      const std::vector<AccessName> only = {name};
      const AccessName* best = bestName(program.types, only, offset, objectSize, kNoType);
      if (best) names[program.place(place).line].insert(nameText(program.types, *best, offset, 1));
    }
  return names;
}

constexpr const char* kText = R"(#include <pthread.h>
#include <stdlib.h>
struct entry { int key; struct entry *next; };
struct cache { pthread_mutex_t lock; int size; struct entry *buckets[4]; };
struct cache *shared;
struct cache *pick(int which);
struct cache *pick(int which) { return which ? shared : 0; }
void add(struct cache *cache, unsigned at, int *total, struct entry *all) {
  pthread_mutex_lock(&cache->lock);
  cache->size++;
  struct entry *made = malloc(sizeof *made);
  made->next = cache->buckets[at];
  *total += 1;
  all[2].key = 3;
  total[1] = 5;
  shared->size = 2;
  shared->buckets[1]->key = 4;
  pick(1)->size = 7;
  free(made);
}
int main(void) { return 0; })";

TEST(AccessName, IsWhatTheTextSays) {
  const auto p = lowered(kText);
  ASSERT_TRUE(p);
  auto names = namesByLine(*p, 4096);
  EXPECT_TRUE(names[9].contains("cache->lock"));
  EXPECT_EQ(names[10], (std::set<std::string>{"cache->size"}));
  EXPECT_TRUE(names[12].contains("made->next"));
  EXPECT_EQ(names[13], (std::set<std::string>{"*total"}));
  EXPECT_EQ(names[14], (std::set<std::string>{"all[2].key"}));
  EXPECT_EQ(names[15], (std::set<std::string>{"total[1]"}));
  EXPECT_EQ(names[16], (std::set<std::string>{"shared->size"}));
  EXPECT_TRUE(names[17].contains("shared->buckets[1]->key"));
  EXPECT_TRUE(names[18].contains("pick(...)->size"));
}

TEST(AccessName, AnIndexComesFromTheOffset) {
  const auto p = lowered(kText);
  ASSERT_TRUE(p);
  EXPECT_TRUE(namesByLine(*p, 4096, 48 + 16)[12].contains("cache->buckets[2]"));
}

TEST(AccessName, WhatIsTooLargeForTheObjectIsNoName) {
  const auto p = lowered(kText);
  ASSERT_TRUE(p);
  EXPECT_FALSE(namesByLine(*p, 16).contains(10)) << "an object of 16 bytes is no cache";
}

TEST(AccessName, AnAllocationIsCalledWhatItIsAssignedTo) {
  const auto p = lowered(kText);
  ASSERT_TRUE(p);
  ASSERT_EQ(p->allocations.size(), 1u);
  const ObjectName object{ObjectKind::Heap, 0, p->allocations.begin()->first, 0, 16};
  EXPECT_EQ(p->describe(object, 8, 8), "made->next");
  EXPECT_EQ(p->describe(object), "struct entry allocated at test.c:11");
  ObjectName several = object;
  several.size = 64;
  EXPECT_EQ(p->describe(several, 24, 8), "made[1].next");
}

TEST(AccessName, EnumeratorsAreKept) {
  const auto p = lowered(
      "enum state { FREE, BUSY = 5 }; struct c { enum state state; } *c;\n"
      "int main(void) { c->state = BUSY; return 0; }");
  ASSERT_TRUE(p);
  ASSERT_EQ(p->accessNames.size(), 1u);
  const AccessName& name = p->accessNames.begin()->second.front();
  const TypeNode* type = p->types.scalarAt(name.pointee, 0);
  ASSERT_NE(type, nullptr);
  EXPECT_EQ(type->enumerators, (std::vector<std::pair<int64_t, std::string>>{{0, "FREE"}, {5, "BUSY"}}));
}

}  // namespace
}  // namespace heddle
