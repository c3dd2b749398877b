/* What every header of aclnn operators builds on. Part of opspec's simulator SDK. */
#ifndef OPSPEC_SDK_ACLNN_BASE_H
#define OPSPEC_SDK_ACLNN_BASE_H

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnInit(const char *configPath);
aclnnStatus aclnnFinalize(void);

#ifdef __cplusplus
}
#endif

#endif
