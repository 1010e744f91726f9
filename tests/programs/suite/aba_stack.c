// EXPECT: memory=violated twin=aba_stack_kept (pop with use after free)
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct n { int v; struct n *next; }; _Atomic(struct n *) top;
void *pop(void *a) { (void)a; struct n *x = atomic_load(&top); while (x && !atomic_compare_exchange_strong(&top, &x, x->next)) ; free(x); return 0; }
int main() { for (int i = 0; i < 2; i++) { struct n *x = malloc(sizeof *x); x->next = top; top = x; } pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, pop, 0); for (int i = 0; i < 2; i++) pthread_join(t[i], 0); return 0; }
