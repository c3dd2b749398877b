/* Numbers of FLOAT8_E4M3FN, for programs that fill or read tensors. C++ only. Part of opspec's simulator SDK. */
#ifndef OPSPEC_SDK_FLOAT8_E4M3FN_H
#define OPSPEC_SDK_FLOAT8_E4M3FN_H

#include "aclnn/opdev/small_float.h"

OPSPEC_SMALL_FLOAT(Float8E4M3FN, uint8_t, 4, 3, ONE_NAN)

#endif
