// What repair realizes: the plans of the diagnosis. They are part of a finding, so they live beside report.h.
#pragma once

#include "analysis/repair_plan.h"
