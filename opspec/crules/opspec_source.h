/* What the generated file of an operator includes: the run time, and short names for members of sets. */
#ifndef OPSPEC_SOURCE_H
#define OPSPEC_SOURCE_H

#include <math.h>

#include "opspec_rules.h"

#define DT_(name) OPSPEC_BIT(OPSPEC_DT_##name)
#define FORMAT_(name) OPSPEC_BIT(OPSPEC_FORMAT_##name)
#define PRODUCT_(name) OPSPEC_BIT(OPSPEC_PRODUCT_##name)

#endif
