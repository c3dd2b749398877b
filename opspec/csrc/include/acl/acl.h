/* AscendCL for host programs: everything of acl_base.h and acl_rt.h. Part of opspec's simulator SDK. */
#ifndef OPSPEC_SDK_ACL_H
#define OPSPEC_SDK_ACL_H

#include "acl/acl_base.h"
#include "acl/acl_op.h"
#include "acl/acl_rt.h"

#endif
