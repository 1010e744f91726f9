/* Behind heddle_runtime.c, in one text with it: the heap of programs whose finding is about memory, and verifier primitives.
 */
/* The heap, where the finding is about memory: each block ends at a page that cannot be accessed, and none is used twice. */
enum { PAGE = 4096 };
struct block {
  uint64_t size, whole;
};
static void *_Atomic blocks[1 << 16];
static _Atomic uint32_t block_count;

static _Atomic uint32_t freed_count;

static int is_ours(const void *pointer) {
  for (uint32_t i = 0; i < block_count && i < sizeof blocks / sizeof *blocks; i++)
    if (blocks[i] == pointer) return 1;
  return 0;
}

static uint32_t leaked(void) { return block_count - freed_count; }

void *heddle_malloc(size_t size) {
  const size_t align = size % 16 == 0 ? 16 : size % 8 == 0 ? 8 : size % 4 == 0 ? 4 : size % 2 == 0 ? 2 : 1;
  const size_t room = (size + align - 1) / align * align;
  const size_t whole = (room + PAGE - 1) / PAGE * PAGE + (size_t)2 * PAGE;
  char *pages = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return NULL;
  ((struct block *)(void *)pages)->size = size;
  ((struct block *)(void *)pages)->whole = whole;
  mprotect(pages + whole - PAGE, PAGE, PROT_NONE);
  const uint32_t number = block_count++;
  if (number < sizeof blocks / sizeof *blocks) blocks[number] = pages + whole - PAGE - room;
  return pages + whole - PAGE - room;
}

static struct block *block_of(void *pointer) {
  return (struct block *)(((uintptr_t)pointer & ~(uintptr_t)(PAGE - 1)) - PAGE);
}

void *heddle_calloc(size_t count, size_t size) {
  size_t bytes;
  return __builtin_mul_overflow(count, size, &bytes) ? NULL : heddle_malloc(bytes);
}

void heddle_free(void *pointer) {
  if (pointer == NULL) return;
  if (!is_ours(pointer)) {
    free(pointer);
    return;
  }
  struct block *block = block_of(pointer); /* of one that was freed, this is the access that ends the program */
  mprotect(block, block->whole, PROT_NONE);
  freed_count++;
}

void *heddle_realloc(void *pointer, size_t size) {
  void *grown = heddle_malloc(size);
  if (!pointer || !grown) return grown;
  if (!is_ours(pointer)) return realloc(pointer, size);
  const size_t old = block_of(pointer)->size;
  memcpy(grown, pointer, old < size ? old : size);
  heddle_free(pointer);
  return grown;
}

/* The heap of other findings: what was never written is 0, as in the interpreter's run. */
void *heddle_zeroed_malloc(size_t size) {
  void *block = malloc(size);
  return block ? memset(block, 0, malloc_usable_size(block)) : NULL;
}

void *heddle_zeroed_realloc(void *pointer, size_t size) {
  const size_t old = pointer ? malloc_usable_size(pointer) : 0;
  char *grown = realloc(pointer, size);
  const size_t whole = grown ? malloc_usable_size(grown) : 0;
  if (whole > old) memset(grown + old, 0, whole - old);
  return grown;
}

/* Verifier primitives, for programs that leave them out. */
#define WEAK __attribute__((weak))
/* The plan itself lets nobody in between. A thread that fails in a section holds nobody up. */
WEAK void __VERIFIER_atomic_begin(void) {}
WEAK void __VERIFIER_atomic_end(void) {}
static void error(void) {
  tell("heddle: error location reached\n");
  abort();
}
WEAK void __ESBMC_atomic_begin(void) {}
WEAK void __ESBMC_atomic_end(void) {}
WEAK void __CPROVER_atomic_begin(void) {}
WEAK void __CPROVER_atomic_end(void) {}
WEAK void __CPROVER_fence(void) {}
WEAK void __VERIFIER_loop_bound(void) {}
WEAK void __goblint_assume_join(void) {}
WEAK void reach_error(void) { error(); }
WEAK void __VERIFIER_error(void) { error(); }
WEAK void __ESBMC_unreachable(void) { error(); }
static void check(int condition) {
  if (condition) return;
  tell("heddle: assertion failed\n");
  abort();
}
WEAK void __VERIFIER_assert(int condition) { check(condition); }
WEAK void assert(int condition) { check(condition); }
WEAK void heddle_assert(int condition) { check(condition); }
WEAK void __CPROVER_assert(int condition) { check(condition); }
WEAK void __ESBMC_assert(int condition) { check(condition); }
WEAK void __goblint_check(int condition) { check(condition); }
static void assume_true(int condition) {
  if (!condition) hold();
}
WEAK void __VERIFIER_assume(int condition) { assume_true(condition); }
WEAK void assume_abort_if_not(int condition) { assume_true(condition); }
WEAK void assume(int condition) { assume_true(condition); }
WEAK void heddle_assume(int condition) { assume_true(condition); }
WEAK void __CPROVER_assume(int condition) { assume_true(condition); }
WEAK void __ESBMC_assume(int condition) { assume_true(condition); }
WEAK void __goblint_assume(int condition) { assume_true(condition); }
WEAK void klee_assume(uintptr_t condition) { assume_true(condition != 0); }
