#pragma once
#include <pthread.h>

extern int stock;
extern pthread_mutex_t stock_lock;

int take(int count);
