/* What every header of aclnn operators builds on. Part of opspec's simulator SDK. */
#ifndef OPSPEC_SDK_ACLNN_BASE_H
#define OPSPEC_SDK_ACLNN_BASE_H

#include "aclnn/acl_meta.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus /* what programs rely on without including it, since CANN's operator headers bring it in */
#include <array>
#include <string>
#include <vector>
#endif

#ifdef __cplusplus
extern "C" {
#endif

aclnnStatus aclnnInit(const char *configPath);
aclnnStatus aclnnFinalize(void);

#ifdef __cplusplus
}
#endif

#endif
