/* Numbers of FLOAT4_E2M1, one in a byte, for programs that fill or read tensors. C++ only. Part of opspec's simulator SDK. */
#ifndef OPSPEC_SDK_FLOAT4_E2M1_H
#define OPSPEC_SDK_FLOAT4_E2M1_H

#include "aclnn/opdev/small_float.h"

OPSPEC_SMALL_FLOAT(Float4E2M1, uint8_t, 2, 1, NUMBERS)

#endif
