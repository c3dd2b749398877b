/* What declarations of operators are marked with. Part of opspec's simulator SDK. */
#ifndef OPSPEC_SDK_ACLNN_UTIL_H
#define OPSPEC_SDK_ACLNN_UTIL_H

#if defined(__GNUC__)
#define ACLNN_API __attribute__((visibility("default")))
#else
#define ACLNN_API
#endif

#endif
