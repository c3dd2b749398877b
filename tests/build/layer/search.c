#define _GNU_SOURCE
#include "search.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HANDLES_MAX = 32 };
static void *handles[HANDLES_MAX];
static int handle_count;

static void add(const char *path)
{
    void *handle = handle_count < HANDLES_MAX ? dlopen(path, RTLD_LAZY) : NULL;
    if (handle != NULL)
        handles[handle_count++] = handle;
}

static bool is_owned(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && (about.st_uid == 0 || about.st_uid == getuid());
}

static void add_all(const char *folder, const char *pattern, bool owned)
{
    char path[4096];
    glob_t found;
    snprintf(path, sizeof path, "%s/%s", folder, pattern);
    if (glob(path, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            if (!owned || is_owned(found.gl_pathv[i]))
                add(found.gl_pathv[i]);
    globfree(&found);
}

static void add_everything(void)
{
    const char *custom = getenv("ASCEND_CUSTOM_OPP_PATH"), *opp = getenv("ASCEND_OPP_PATH"),
               *home = getenv("ASCEND_HOME_PATH");
    dlopen("libascendcl.so", RTLD_LAZY); /* what a framework is linked against */
    char *copy = custom == NULL ? NULL : strdup(custom), *rest = NULL;
    for (char *one = copy == NULL ? NULL : strtok_r(copy, ":", &rest); one != NULL; one = strtok_r(NULL, ":", &rest)) {
        add_all(one, "op_api/lib/libcust_opapi.so", true);
        add_all(one, "*/op_api/lib/libcust_opapi.so", true);
    }
    free(copy);
    if (opp != NULL)
        add_all(opp, "vendors/*/op_api/lib/libcust_opapi.so", true);
    add("libcust_opapi.so");
    if (home != NULL)
        add_all(home, "lib64/libopapi_*.so", false);
    add("libopapi.so");
}

static function found_in(void *handle, const char *name)
{
    void *symbol = dlsym(handle, name);
    function found;
    memcpy(&found, &symbol, sizeof found);
    return found;
}

function direct(const char *library, const char *name)
{
    return found_in(dlopen(library, RTLD_LAZY | RTLD_NOLOAD), name);
}

function search(const char *name)
{
    if (handle_count == 0)
        add_everything();
    for (int i = 0; i < handle_count; i++) {
        const function found = found_in(handles[i], name);
        if (found != NULL)
            return found;
    }
    return NULL;
}
