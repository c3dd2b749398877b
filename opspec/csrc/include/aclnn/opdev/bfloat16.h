/* Numbers of bfloat16, for programs that fill or read tensors. C++ only. Part of opspec's simulator SDK. */
#ifndef OPSPEC_SDK_BFLOAT16_H
#define OPSPEC_SDK_BFLOAT16_H

#include "aclnn/opdev/small_float.h"

OPSPEC_SMALL_FLOAT(bfloat16, uint16_t, 8, 7, INFINITIES)

#endif
