/* Types, codes and small functions of AscendCL. Part of opspec's simulator SDK. */
#ifndef OPSPEC_SDK_ACL_BASE_H
#define OPSPEC_SDK_ACL_BASE_H

#include "acl/acl_base_rt.h"
#include "acl/error_codes/rt_error_codes.h"

#endif
