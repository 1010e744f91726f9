// EXPECT: memory=violated twin=div_checked (by zero)
int __VERIFIER_nondet_int(void);
int main(void) { int b = __VERIFIER_nondet_int(); return 10 / b; }
