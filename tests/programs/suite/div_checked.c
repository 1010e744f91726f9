// EXPECT: memory=verified (not by zero)
int __VERIFIER_nondet_int(void);
int main(void) { int b = __VERIFIER_nondet_int(); return b ? 10 / b : 0; }
