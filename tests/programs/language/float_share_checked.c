// EXPECT: assert=verified (every input that is no more than one and a half as a floating-point value is below two)
#include <assert.h>

int heddle_input_int(void);
void heddle_assume(int);

int main(void) {
  int resting = heddle_input_int();
  heddle_assume(resting >= -8 && resting <= 7);
  double share = resting;
  float less = -(float)resting;
  if (share > 1.5 || less >= 1.0f) return 0;
  assert(resting != 2);
  return 0;
}
