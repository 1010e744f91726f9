#pragma once

extern int total;

void add_two(void);
