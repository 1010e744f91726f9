#pragma once

extern int limit;

void use_limit(void);
