/* Where the real functions are.
 *
 * A function is looked for behind this library in the order of symbols (LD_PRELOAD in front of a program that is
 * linked against the real ones), then in the libraries that the layer was built for, then in whatever else is loaded
 * (a Python extension loads its libraries for itself only). What is found in the layer itself never counts.
 */
#define _GNU_SOURCE /* RTLD_NEXT, dladdr, dl_iterate_phdr */
#include "real.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"

enum { PATH_MAX_ = 4096, LIBRARIES_MAX = 256, LOADED_MAX = 1024 };

static struct {
    pthread_mutex_t lock; /* recursive: a library's constructors may call functions of the layer */
    pthread_once_t once;
    void *opened[LIBRARIES_MAX];
    int count;
    bool opening;
} libraries = {.once = PTHREAD_ONCE_INIT};

static void make_lock(void)
{
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&libraries.lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
}

static const void *base_of(const void *address)
{
    Dl_info about;
    return dladdr(address, &about) == 0 ? NULL : about.dli_fbase;
}

bool layer_is_own(const void *symbol) { return base_of(symbol) == base_of(&libraries); }

/* POSIX has functions and objects the same size; ISO C does not convert one to the other. */
static layer_function as_function(void *symbol)
{
    layer_function function = NULL;
    memcpy(&function, &symbol, sizeof function);
    return layer_is_own(symbol) ? NULL : function;
}

/* --- libraries that the layer was built for ----------------------------------------------------------------------- */

/* The one that is loaded; else of the install that the environment names; else the one that the layer was built for. */
static void *open_library(const char *path)
{
    char other[PATH_MAX_];
    const char *name = strrchr(path, '/'), *home = getenv("ASCEND_HOME_PATH");
    name = name == NULL ? path : name + 1;
    if (strcmp(name, "libcust_opapi.so") == 0) /* vendors' libraries, and the layer, share that name */
        return dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    void *found = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
    if (found == NULL)
        found = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    const int size = home == NULL ? -1 : snprintf(other, sizeof other, "%s/lib64/%s", home, name);
    if (found == NULL && size > 0 && size < (int)sizeof other)
        found = dlopen(other, RTLD_LAZY | RTLD_LOCAL);
    return found != NULL ? found : dlopen(path, RTLD_LAZY | RTLD_LOCAL);
}

static void add_library(void *handle)
{
    if (handle != NULL && libraries.count < LIBRARIES_MAX)
        libraries.opened[libraries.count++] = handle;
}

static void open_all(void)
{
    const char *given = getenv("OPSPEC_FORWARD_TO");
    if (libraries.opening)
        return;
    libraries.opening = true;
    char *paths = given == NULL || *given == '\0' ? NULL : strdup(given), *rest = NULL;
    for (char *path = paths; path != NULL && (path = strtok_r(path, ":", &rest)) != NULL; path = rest)
        add_library(dlopen(path, RTLD_LAZY | RTLD_LOCAL));
    for (int i = 0; paths == NULL && layer_libraries[i] != NULL; i++)
        add_library(open_library(layer_libraries[i]));
    free(paths);
}

static layer_function find_in_libraries(const char *name)
{
    layer_function found = NULL;
    pthread_once(&libraries.once, make_lock);
    pthread_mutex_lock(&libraries.lock);
    open_all();
    for (int i = 0; i < libraries.count && found == NULL; i++) {
        void *symbol = dlsym(libraries.opened[i], name);
        found = symbol == NULL ? NULL : as_function(symbol);
    }
    pthread_mutex_unlock(&libraries.lock);
    return found;
}

/* --- whatever is loaded ------------------------------------------------------------------------------------------- */

typedef struct {
    char *paths[LOADED_MAX];
    int count;
} loaded;

static int collect(struct dl_phdr_info *info, size_t size, void *context)
{
    loaded *all = context;
    (void)size;
    if (info->dlpi_name != NULL && info->dlpi_name[0] != '\0' && all->count < LOADED_MAX)
        all->paths[all->count++] = strdup(info->dlpi_name);
    return 0;
}

static layer_function find_in_loaded(const char *name)
{
    loaded *all = calloc(1, sizeof *all);
    layer_function found = NULL;
    if (all == NULL)
        return NULL;
    dl_iterate_phdr(collect, all); /* only names: the loader's lock is held meanwhile */
    for (int i = 0; i < all->count; i++) {
        void *handle = found != NULL || all->paths[i] == NULL ? NULL : dlopen(all->paths[i], RTLD_LAZY | RTLD_NOLOAD);
        void *symbol = handle == NULL ? NULL : dlsym(handle, name);
        if (symbol != NULL)
            found = as_function(symbol);
        if (handle != NULL)
            dlclose(handle);
        free(all->paths[i]);
    }
    free(all);
    return found;
}

/* --- both --------------------------------------------------------------------------------------------------------- */

layer_function layer_find(layer_slot *slot)
{
    void *next = dlsym(RTLD_NEXT, slot->name);
    layer_function found = next == NULL ? NULL : as_function(next);
    if (found == NULL)
        found = find_in_libraries(slot->name);
    if (found == NULL)
        found = find_in_loaded(slot->name);
    if (found != NULL)
        atomic_store_explicit(&slot->real, found, memory_order_release);
    return found;
}

enum { ABSENT_STATUS = OPSPEC_ACLNN_ERR_INNER };

int32_t layer_absent(const layer_slot *slot)
{
    opspec_tell(OPSPEC_LAYER, FOUND_LIBRARY_MISSING, "%s: no library that is loaded has it", slot->name);
    return ABSENT_STATUS;
}

static int32_t absent(void) { return ABSENT_STATUS; }

/* For assembly (forward.h): what a function that is handed on as it is leads to. */
layer_function layer_forward(layer_slot *slot)
{
    const layer_function found = layer_find(slot);
    if (found != NULL)
        return found;
    (void)layer_absent(slot);
    return (layer_function)absent;
}
