// EXPECT: assert=violated twin=float_share_checked (two and a half is more than two, for an input that is compared as a floating-point value)
#include <assert.h>

int heddle_input_int(void);
void heddle_assume(int);

int main(void) {
  int resting = heddle_input_int();
  heddle_assume(resting >= -8 && resting <= 7);
  double share = resting;
  float less = -(float)resting;
  if (share > 2.5 || less >= 1.0f) return 0;
  assert(resting != 2);
  return 0;
}
