// Floating-point values as terms: the same as the machine's, bit for bit.
#include "analysis/interp/values/float_terms.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace heddle {
namespace {

const std::vector<uint64_t> kDoubles = {0,
                                        1ull << 63,
                                        1,
                                        0x3ff0000000000000,
                                        0xbff0000000000000,
                                        0x4004000000000000,
                                        0x7fefffffffffffff,
                                        0x7ff0000000000000,
                                        0xfff0000000000000,
                                        0x7ff8000000000000,
                                        0xfff8000000000001};
const std::vector<uint64_t> kFloats = {0,          1u << 31,   1,          0x3f800000, 0xbf800000,
                                       0x40200000, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000};

/// A value of the bits that depends on the table's first symbol, and the symbol's value.
struct Sample {
  TermTable terms;
  Value value;
  explicit Sample(uint64_t bits, unsigned width) : value{bits, terms.symbol(width)} {}
  uint64_t evaluated(const Value& of) const {
    return of.term ? terms.evaluate(of.term, {value.bits}) : of.bits;
  }
};

TEST(FloatTerms, ComparisonsAreTheMachinesForEveryRelation) {
  for (const unsigned width : {32u, 64u})
    for (const uint64_t a : width == 64 ? kDoubles : kFloats)
      for (const uint64_t b : width == 64 ? kDoubles : kFloats)
        for (uint8_t predicate = 0; predicate < 16; ++predicate) {
          Sample sample(a, width);
          const Value holds = floatTermCompare(sample.terms, predicate, sample.value, {b}, width);
          EXPECT_EQ(holds.bits != 0, floatCompare(predicate, a, b, width))
              << a << ' ' << b << ' ' << +predicate;
          EXPECT_EQ(sample.evaluated(holds), holds.bits);
        }
}

TEST(FloatTerms, ConvertedIntegersAreTheMachinesWhereTheyFit) {
  std::mt19937_64 random(7);
  for (const unsigned from : {8u, 32u, 64u})
    for (const unsigned width : {32u, 64u})
      for (const FloatOp op : {FloatOp::FromSigned, FloatOp::FromUnsigned})
        for (unsigned i = 0; i < 200; ++i) {
          // Of all sizes; the first ones are 0, 1 and the largest.
          const uint64_t any = random() >> (random() % 64);
          const uint64_t bits = (i < 2 ? i : i == 2 ? ~0ull : any) & widthMask(from);
          Sample sample(bits, from);
          const FloatTerm made = floatTerm(sample.terms, op, sample.value, width, from);
          ASSERT_TRUE(made.isKnown);
          EXPECT_EQ(sample.evaluated(made.fits), made.fits.bits);
          const unsigned digits = width == 64 ? 53 : 24;
          const int64_t number = op == FloatOp::FromSigned ? signExtend(bits, from) : 0;
          const uint64_t magnitude = number < 0 ? 0 - static_cast<uint64_t>(number) : bits;
          EXPECT_EQ(made.fits.bits != 0, magnitude >> digits == 0) << bits;
          if (made.fits.bits == 0) continue;
          EXPECT_EQ(made.value.bits, floatValue(op, bits, 0, 0, width, from))
              << bits << ' ' << from << ' ' << width;
          EXPECT_EQ(sample.evaluated(made.value), made.value.bits);
        }
}

TEST(FloatTerms, SignsAreBitsAndWhatRoundsIsNotKnown) {
  for (const uint64_t a : kDoubles)
    for (const FloatOp op : {FloatOp::Neg, FloatOp::Abs}) {
      Sample sample(a, 64);
      const FloatTerm made = floatTerm(sample.terms, op, sample.value, 64, 64);
      ASSERT_TRUE(made.isKnown);
      EXPECT_EQ(made.value.bits, floatValue(op, a, 0, 0, 64, 64));
      EXPECT_EQ(sample.evaluated(made.value), made.value.bits);
      EXPECT_FALSE(floatTerm(sample.terms, FloatOp::Sqrt, sample.value, 64, 64).isKnown);
    }
}

/// What arithmetic has made in another thread is known from one execution, and is a symbol here.
TEST(FloatTerms, WhatIsReadOfMemoryIsNone) {
  Sample sample(7, 64);
  EXPECT_FALSE(areFloatTerms(sample.terms, sample.value, {}));
  const Value made = floatTerm(sample.terms, FloatOp::FromSigned, sample.value, 64, 64).value;
  EXPECT_TRUE(areFloatTerms(sample.terms, made, {}));
  EXPECT_TRUE(areFloatTerms(sample.terms, floatTerm(sample.terms, FloatOp::Neg, made, 64, 64).value, made));
  EXPECT_FALSE(areFloatTerms(sample.terms, made, sample.value));
}

}  // namespace
}  // namespace heddle
