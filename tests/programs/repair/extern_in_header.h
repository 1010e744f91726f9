// A total that several files add to; used by extern_in_header.c.
#pragma once

extern int total;

static inline void add_to_total(int amount) {
  total += amount;
}
