/* Numbers of FLOAT8_E5M2, for programs that fill or read tensors. C++ only. Part of opspec's simulator SDK. */
#ifndef OPSPEC_SDK_FLOAT8_E5M2_H
#define OPSPEC_SDK_FLOAT8_E5M2_H

#include "aclnn/opdev/small_float.h"

OPSPEC_SMALL_FLOAT(Float8E5M2, uint8_t, 5, 2, INFINITIES)

#endif
