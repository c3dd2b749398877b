/* The part of AscendCL for single operators that aclnn programs use: types only. Part of opspec's simulator SDK. */
#ifndef OPSPEC_SDK_ACL_OP_H
#define OPSPEC_SDK_ACL_OP_H

#include "acl/acl_base.h"
#include "acl/acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct aclopAttr aclopAttr;
typedef struct aclopHandle aclopHandle;
typedef struct aclopKernelDesc aclopKernelDesc;

typedef enum aclEngineType { ACL_ENGINE_SYS = 0, ACL_ENGINE_AICORE = 1, ACL_ENGINE_VECTOR = 2 } aclopEngineType;

#ifdef __cplusplus
}
#endif

#endif
