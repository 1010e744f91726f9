// EXPECT: assert=violated twin=goto_error_label_far (the old way of an error)
extern void __VERIFIER_error() __attribute__((__noreturn__));
#include <pthread.h>
int i = 1, j = 1;
#define NUM 2
void *t1(void *arg) { (void)arg; for (int k = 0; k < NUM; k++) i += j; pthread_exit(0); }
void *t2(void *arg) { (void)arg; for (int k = 0; k < NUM; k++) j += i; pthread_exit(0); }
int main(int argc, char **argv) { pthread_t a, b; pthread_create(&a, 0, t1, 0); pthread_create(&b, 0, t2, 0); if (i >= 13 || j >= 8) { ERROR: __VERIFIER_error(); } return 0; }
