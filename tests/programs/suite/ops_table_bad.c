// EXPECT: race=violated assert=violated twin=ops_table (one of the functions forgets the lock)
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int v;
static void inc(void) { pthread_mutex_lock(&m); v++; pthread_mutex_unlock(&m); }
static void dec(void) { v--; }
static void nop(void) {}
static struct { const char *name; void (*op)(void); } ops[] = { {"inc", inc}, {"dec", dec}, {"nop", nop} };
void *w(void *a) { unsigned k = __VERIFIER_nondet_int(); if (k < 3) ops[k].op(); return 0; }
int main(void) { pthread_t a, b; pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0); pthread_join(a, 0); pthread_join(b, 0); assert(v != -1 || 0); return 0; }
