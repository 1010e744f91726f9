// EXPECT: assert=violated race=violated twin=driver_spin (release takes the flag down outside of the lock)
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}
#define assert(e) do { if (!(e)) { reach_error(); } } while (0)
typedef int spinlock_t;
spinlock_t lock;
static void spin_lock(spinlock_t *l) { __VERIFIER_atomic_begin(); __VERIFIER_assume(*l == 0); *l = 1; __VERIFIER_atomic_end(); }
static void spin_unlock(spinlock_t *l) { __VERIFIER_atomic_begin(); *l = 0; __VERIFIER_atomic_end(); }
struct device { int open_count; int irq_enabled; int data; } dev;
static int dev_open(void) { spin_lock(&lock); int n = ++dev.open_count; if (n == 1) dev.irq_enabled = 1; spin_unlock(&lock); return 0; }
static void dev_release(void) { int n; spin_lock(&lock); n = --dev.open_count; spin_unlock(&lock); if (n == 0) dev.irq_enabled = 0; }
static void irq(void) { spin_lock(&lock); if (dev.irq_enabled) { assert(dev.open_count > 0); dev.data++; } spin_unlock(&lock); }
void *user(void *a) { dev_open(); dev_release(); return 0; }
void *handler(void *a) { irq(); return 0; }
int main(void) { pthread_t a, c; pthread_create(&a, 0, user, 0); pthread_create(&c, 0, handler, 0); return 0; }
