// EXPECT: race=violated assert=violated twin=tile_smooth_fixed (a tile is written while its neighbour still reads it)
// PATCH, written before the tool ran: in smooth
//      int around = ...;
//   +  pthread_barrier_wait(&grid->step);
//      grid->cell[at] = around;
// Review: "a second barrier, between reading the neighbours and writing the own cell."
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

#define TILES 2
#define ROUNDS 2

struct grid {
  pthread_barrier_t step;
  int cell[TILES];
};

struct tile {
  struct grid *grid;
  int at;
};

static void smooth(struct grid *grid, int at) {
  int around = grid->cell[(at + 1) % TILES] + grid->cell[at];
  grid->cell[at] = around;
  pthread_barrier_wait(&grid->step);
}

static void *tile_main(void *arg) {
  struct tile *tile = arg;
  for (int round = 0; round < ROUNDS; round++)
    smooth(tile->grid, tile->at);
  return NULL;
}

int main(void) {
  struct grid grid;
  struct tile tiles[TILES];
  pthread_t threads[TILES];
  int value = __VERIFIER_nondet_int();
  __VERIFIER_assume(value >= 0 && value < 100);
  pthread_barrier_init(&grid.step, NULL, TILES);
  for (int i = 0; i < TILES; i++) {
    grid.cell[i] = value;
    tiles[i] = (struct tile){&grid, i};
  }
  for (int i = 0; i < TILES; i++)
    pthread_create(&threads[i], NULL, tile_main, &tiles[i]);
  for (int i = 0; i < TILES; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < TILES; i++)
    assert(grid.cell[i] == 4 * value);
  pthread_barrier_destroy(&grid.step);
  return 0;
}
