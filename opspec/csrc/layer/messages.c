/* The recent error message, which a library gives out once: what the layer has read of it is kept for the program.
 *
 * A thread's message is on the heap: a library that is opened late has little room for variables of threads.
 */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "layer.h"

#pragma GCC visibility push(default)
#include "acl/acl_rt.h"
#pragma GCC visibility pop

static struct {
    pthread_once_t once;
    pthread_key_t key;
    bool has_key, is_in_front;
} shared = {.once = PTHREAD_ONCE_INIT};

/* A thread's: what is kept for the program, which begins with a NUL when it has been given out. */
typedef struct {
    char kept[LAYER_MESSAGE_MAX];
    char given[LAYER_MESSAGE_MAX]; /* what the program holds a pointer to */
} messages;

static void begin(void)
{
    const void *found = dlsym(RTLD_DEFAULT, "aclGetRecentErrMsg");
    shared.has_key = pthread_key_create(&shared.key, free) == 0;
    shared.is_in_front = found != NULL && layer_is_own(found);
}

static messages *own(bool make)
{
    pthread_once(&shared.once, begin);
    messages *found = shared.has_key ? pthread_getspecific(shared.key) : NULL;
    if (found != NULL || !make || !shared.has_key)
        return found;
    found = calloc(1, sizeof *found);
    if (found != NULL && pthread_setspecific(shared.key, found) != 0) {
        free(found);
        found = NULL;
    }
    return found;
}

static const char *ask_library(void)
{
    static layer_slot slot = {.name = "aclGetRecentErrMsg"};
    const layer_function real = layer_real(&slot);
    const char *said = real == NULL ? NULL : ((const char *(*)(void))real)();
    return said == NULL || said[0] == '\0' ? NULL : said;
}

char *layer_message_room(void)
{
    messages *found = own(true);
    return found == NULL ? NULL : found->kept;
}

const char *layer_message_of_library(void)
{
    messages *found = own(true);
    const char *said = found == NULL || !shared.is_in_front ? NULL : ask_library();
    if (said == NULL)
        return NULL;
    (void)strncpy(found->kept, said, LAYER_MESSAGE_MAX - 1);
    return found->kept;
}

/* What the library says is newer than what was taken from it before. */
const char *aclGetRecentErrMsg(void)
{
    messages *found = own(false);
    const char *said = ask_library();
    if (found == NULL || found->kept[0] == '\0')
        return said;
    (void)strcpy(found->given, found->kept);
    found->kept[0] = '\0';
    return said != NULL ? said : found->given;
}
