// EXPECT: race=violated memory=verified twin=heap_race_ok (a field on the heap)
#include <pthread.h>
#include <stdlib.h>
struct s { int a, b; };
void *w(void *p) { ((struct s *)p)->a = 1; return 0; }
int main(void) { struct s *s = calloc(1, sizeof *s); pthread_t t; pthread_create(&t, 0, w, s); int v = s->a; pthread_join(t, 0); free(s); return v; }
