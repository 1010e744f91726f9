// The programs of the ConcBugAssist paper's figures, written anew for POSIX threads, and others of the same
// kind.
#pragma once

namespace heddle::test {

/// Figure 2: a flag is checked, then relied on.
inline constexpr const char* kFigure2 = R"(int x = 1;
void *clear(void *arg) {
  x = 0;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, clear, 0);
  if (x != 0)
    assert(x != 0);
  return 0;
}
)";

/// Figure 3: two threads set two variables to the same value.
inline constexpr const char* kFigure3 = R"(int x, y;
void *f1(void *arg) {
  x = 0;
  y = 0;
  return arg;
}
void *f2(void *arg) {
  x = 1;
  y = 1;
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f1, 0);
  pthread_create(&b, 0, f2, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == y);
  return 0;
}
)";

/// Figure 9: two threads add to an array list.
inline constexpr const char* kFigure9 = R"(int list[2], open_slot;
void list_add(int value) {
  list[open_slot] = value;
  open_slot = open_slot + 1;
}
void *one(void *arg) {
  list_add(1);
  return arg;
}
void *two(void *arg) {
  list_add(2);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(list[0] == 1 || list[1] == 1);
  assert(list[0] == 2 || list[1] == 2);
  return 0;
}
)";

/// Figure 10: a pointer is used before it is set.
inline constexpr const char* kFigure10 = R"(int *bandwidth;
int storage;
void *t1(void *arg) {
  bandwidth = &storage;
  return arg;
}
void *t2(void *arg) {
  assert(bandwidth != 0);
  *bandwidth = 1;
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, t1, 0);
  pthread_create(&b, 0, t2, 0);
  return 0;
}
)";

/// The creator initializes what the new thread uses, but too late.
inline constexpr const char* kInitializedTooLate = R"(int ready;
void *use(void *arg) {
  assert(ready == 1);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, use, 0);
  ready = 1;
  pthread_join(t, 0);
  return 0;
}
)";

inline constexpr const char* kLockOrder = R"(pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
void *one(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return arg;
}
void *two(void *arg) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return arg;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
)";

inline constexpr const char* kCounter = R"(int counter;
void *add(void *arg) {
  counter++;
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == 2);
  return 0;
}
)";

/// One of three places forgets the lock.
inline constexpr const char* kForgottenLock = R"(int balance = 10;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *deposit(void *arg) {
  pthread_mutex_lock(&m);
  balance = balance + 5;
  pthread_mutex_unlock(&m);
  return arg;
}
void *withdraw(void *arg) {
  int left = balance;
  if (left >= 5)
    balance = left - 5;
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, deposit, 0);
  pthread_create(&b, 0, withdraw, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_mutex_lock(&m);
  assert(balance == 10);
  pthread_mutex_unlock(&m);
  return 0;
}
)";

/// It fails for some inputs only.
inline constexpr const char* kWithInput = R"(int total;
void *add(void *arg) {
  int n = heddle_input_int();
  if (n > 100) {
    int seen = total;
    total = seen + 2;
  }
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, add, 0);
  int seen = total;
  total = seen + 1;
  pthread_join(a, 0);
  assert(total != 2);
  return 0;
}
)";

/// The signal comes before the wait.
inline constexpr const char* kMissedSignal = R"(pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
void *waiter(void *arg) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&ready, &m);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
  pthread_cond_signal(&ready);
  pthread_join(t, 0);
  return 0;
}
)";

/// One thread frees what the other one still uses.
inline constexpr const char* kUseAfterFree = R"(int *box;
void *use(void *arg) {
  *box = 1;
  return arg;
}
void *drop(void *arg) {
  free(box);
  return arg;
}
int main(void) {
  pthread_t a, b;
  box = malloc(sizeof *box);
  pthread_create(&a, 0, use, 0);
  pthread_create(&b, 0, drop, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
)";

/// The result is used before its thread is joined.
inline constexpr const char* kJoinedTooLate = R"(int result;
void *work(void *arg) {
  result = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  assert(result == 1);
  pthread_join(t, 0);
  return 0;
}
)";

/// No schedule avoids it.
inline constexpr const char* kFailsAlways = R"(int x;
void *add(void *arg) {
  x = 1;
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, add, 0);
  pthread_join(a, 0);
  assert(x == 2);
  return 0;
}
)";

}  // namespace heddle::test
