// The plans that repair realizes. Diagnosis makes them, and they are part of a finding, so they are
// declared beside report.h.
#pragma once

#include "analysis/repair_plan.h"
