/* The arguments of a first phase on their way to the rules; generated entries fill them in (opspec/codegen/entries/arguments.py).
 *
 *     opspec_arg args[3];
 *     const void *handles[3];
 *     opspec_passed passed = opspec_passed_none(args, handles, 3);
 *     opspec_pass(&passed, 0, OPSPEC_HANDLE_TENSOR, self);
 *     opspec_pass_integer(&passed, 1, dim);
 *     ...
 */
#ifndef OPSPEC_ARGUMENTS_H
#define OPSPEC_ARGUMENTS_H

#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    opspec_arg *args;     /* by param: what the rules read */
    const void **handles; /* by param: the handle as it was passed; NULL of what is none */
    int32_t count;
    int32_t wrong;             /* the first param whose handle is not live, or -1 */
    opspec_handle_state state; /* of that handle */
    opspec_handle_kind kind;   /* what it should be */
} opspec_passed;

static inline opspec_passed opspec_passed_none(opspec_arg *args, const void **handles, int32_t count)
{
    const opspec_passed none = {args, handles, count, -1, OPSPEC_HANDLE_LIVE, OPSPEC_HANDLE_TENSOR};
    return none;
}

static inline void opspec_pass(opspec_passed *passed, int32_t param, opspec_handle_kind kind, const void *handle)
{
    opspec_handle_state state;
    passed->handles[param] = handle;
    passed->args[param] = opspec_argument(handle, kind, &state);
    if (state != OPSPEC_HANDLE_LIVE && passed->wrong < 0) {
        passed->wrong = param;
        passed->state = state;
        passed->kind = kind;
    }
}

#define OPSPEC_PASS(name, member, ctype)                                                                               \
    static inline void opspec_pass_##name(opspec_passed *passed, int32_t param, ctype value)                           \
    {                                                                                                                  \
        passed->handles[param] = NULL;                                                                                 \
        passed->args[param].member = value;                                                                            \
    }
OPSPEC_PASS(string, string, const char *)
OPSPEC_PASS(pointer, pointer, const void *)
OPSPEC_PASS(integer, integer, int64_t)
OPSPEC_PASS(natural, natural, uint64_t)
OPSPEC_PASS(real, real, double)
#undef OPSPEC_PASS

#ifdef __cplusplus
}
#endif

#endif
