// EXPECT: assert=violated race=violated memory=verified twin=ldv_container_of_locked (the driver's thread runs while probe's caller looks)
#include <stddef.h>
#include <stdlib.h>
#include <pthread.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
#include <assert.h>
void reach_error() { assert(0); }
void ldv_assert(int expression) { if (!expression) { ERROR: {reach_error();abort();}} ; return; }
#define container_of(ptr, type, member) ({ const typeof(((type *)0)->member) *__mptr = (ptr); (type *)((char *)__mptr - offsetof(type, member)); })
struct device { int x; };
struct A { int a; int b; };
struct my_data { pthread_mutex_t lock; struct device dev; struct A shared; };
pthread_t t1, t2;
void *my_callback(void *arg) {
  struct device *dev = (struct device *)arg;
  struct my_data *data;
  data = container_of(dev, struct my_data, dev);
  data->shared.a = 1;
  data->shared.b = data->shared.b + 1;
  return 0;
}
int my_drv_probe(struct my_data *data) {
  struct device *d = &data->dev;
  pthread_mutex_init(&data->lock, NULL);
  data->shared.a = 0; data->shared.b = 0;
  int res = __VERIFIER_nondet_int();
  if (res) goto exit;
  pthread_create(&t1, NULL, my_callback, (void *)d);
  pthread_create(&t2, NULL, my_callback, (void *)d);
  return 0;
exit:
  pthread_mutex_destroy(&data->lock);
  return -1;
}
void my_drv_disconnect(struct my_data *data) {
  void *status;
  pthread_join(t1, &status);
  pthread_join(t2, &status);
  pthread_mutex_destroy(&data->lock);
}
int main(void) {
  int ret, probe_ret, i;
  struct my_data data;
  probe_ret = my_drv_probe(&data);
  if (probe_ret == 0) {
    my_drv_disconnect(&data);
    ldv_assert(data.shared.a == 1);
    ldv_assert(data.shared.b == 2);
  }
  data.shared.a = -1;
  data.shared.b = -1;
  return 0;
}
