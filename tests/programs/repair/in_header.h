// Counts events; used by in_header.c.
#pragma once

static int events;

static inline void count_event(void) {
  int old = events;
  events = old + 1;
}

static inline int events_so_far(void) {
  return events;
}
