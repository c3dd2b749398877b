#include "world.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "sim.h"

enum { BLOCKS = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    unsigned char *start;
    size_t size;
    bool live;
} blocks[BLOCKS];
static int block_count, findings;
static char last_kind[64];
static _Thread_local char last_error[1024];
int32_t world_product = OPSPEC_PRODUCT_910B;
char world_stream;
const char *world_failing;
size_t world_written;

void *world_memory(size_t size)
{
    unsigned char *start = malloc(size);
    if (start == NULL || block_count == BLOCKS)
        abort();
    memset(start, 0xEE, size);
    blocks[block_count].start = start;
    blocks[block_count].size = size;
    blocks[block_count++].live = true;
    return start;
}

void world_free(void *address)
{
    for (int i = 0; i < block_count; i++)
        if (blocks[i].start == address)
            blocks[i].live = false;
}

__attribute__((destructor)) static void forget(void)
{
    for (int i = 0; i < block_count; i++)
        free(blocks[i].start);
}

sim_memory_state sim_memory_check(const void *address, size_t size, size_t *left)
{
    const unsigned char *place = address;
    size_t unused;
    left = left == NULL ? &unused : left;
    *left = 0;
    for (int i = 0; i < block_count; i++) {
        if (place < blocks[i].start || place >= blocks[i].start + blocks[i].size)
            continue;
        *left = blocks[i].size - (size_t)(place - blocks[i].start);
        return !blocks[i].live ? SIM_MEMORY_FREED : size > *left ? SIM_MEMORY_PAST_END : SIM_MEMORY_VALID;
    }
    return SIM_MEMORY_UNKNOWN;
}

void sim_memory_use(const sim_use *use, const void *stream)
{
    (void)stream;
    pthread_mutex_lock(&lock);
    if (use->writes && strcmp(use->what, "workspace") != 0)
        world_written += use->size;
    pthread_mutex_unlock(&lock);
}

int32_t sim_product(void) { return world_product; }
int32_t sim_member(void) { return 0; }
bool sim_group_is_live(const char *name) { return strcmp(name, "nobody") != 0; }
bool sim_stream_is_live(const void *stream) { return stream == &world_stream; }
bool sim_fails(const char *function) { return world_failing != NULL && strcmp(function, world_failing) == 0; }

void sim_error(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(last_error, sizeof last_error, format, values);
    va_end(values);
}

void opspec_tell(opspec_source source, opspec_finding kind, const char *format, ...)
{
    (void)source, (void)format;
    pthread_mutex_lock(&lock);
    if (opspec_findings[kind].severity[source] == OPSPEC_ERROR)
        findings++;
    snprintf(last_kind, sizeof last_kind, "%s", opspec_findings[kind].id);
    if (getenv("WORLD_SAYS") != NULL) {
        va_list values;
        va_start(values, format);
        printf("%s: ", opspec_findings[kind].id);
        vprintf(format, values);
        printf("\n");
        va_end(values);
    }
    pthread_mutex_unlock(&lock);
}

void opspec_tell_verdict(opspec_source source, const opspec_operator *op, const opspec_call *call,
    const opspec_verdict *verdict, int32_t actual, char *message, size_t size)
{
    (void)source, (void)call, (void)actual;
    if (verdict->fault != NULL)
        snprintf(message, size, "%s: %s", op->name, verdict->fault);
    else if (verdict->violation_count > 0)
        snprintf(message, size, "%s/%s", op->name, op->rules[verdict->violations[0]].id);
}

const char *world_kind(void)
{
    static char told[sizeof last_kind];
    pthread_mutex_lock(&lock);
    memcpy(told, last_kind, sizeof told);
    last_kind[0] = 0;
    pthread_mutex_unlock(&lock);
    return told;
}

const char *world_error(void)
{
    static _Thread_local char told[sizeof last_error];
    memcpy(told, last_error, sizeof told);
    last_error[0] = 0;
    return told;
}

int world_findings(void)
{
    pthread_mutex_lock(&lock);
    const int count = findings;
    pthread_mutex_unlock(&lock);
    return count;
}
