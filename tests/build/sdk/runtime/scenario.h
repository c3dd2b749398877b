/* A program of scenarios: the first argument is the name of the one to run; it exits with 0 when all is as expected. */
#ifndef SCENARIO_H
#define SCENARIO_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl.h"
#include "acl/error_codes/rt_error_codes.h"

#define IS(status, expected)                                                                                           \
    do {                                                                                                               \
        const long long found_ = (long long)(status), wanted_ = (long long)(expected);                                 \
        if (found_ != wanted_) {                                                                                       \
            fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, #status, found_, wanted_);            \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)
#define OK(status) IS(status, 0)

typedef struct {
    const char *name;
    void (*run)(void);
} scenario;

static inline int run_scenario(const scenario *list, size_t count, int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < count; i++)
        if (strcmp(list[i].name, argv[1]) == 0) {
            list[i].run();
            return 0;
        }
    fprintf(stderr, "no scenario %s\n", argc == 2 ? argv[1] : "");
    return 2;
}

static inline void begin(void)
{
    OK(aclInit(NULL));
    OK(aclrtSetDevice(0));
}

static inline void end(void)
{
    OK(aclrtResetDevice(0));
    OK(aclFinalize());
}

static inline void *device_memory(size_t size)
{
    void *address = NULL;
    OK(aclrtMalloc(&address, size, ACL_MEM_MALLOC_HUGE_FIRST));
    return address;
}

#endif
