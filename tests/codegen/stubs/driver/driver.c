/* Runs the example programs of many operators, each run in a child process, with every call that can fail made to fail
 * in turn; what a run comes to is written to standard output and judged by tests/codegen/stubs/all_run.py.
 *
 * usage: driver FIRST STEP EVERY: the operators number FIRST, FIRST + STEP ...; of each every EVERYth call is made to
 * fail, beginning with another one for each operator, as many of them make the same calls.
 *
 * The libraries are loaded and relocated once: a run costs a fork. This process calls none of their functions, so that
 * they read their settings in each child anew.
 *
 * A record: "OP SETTING NUMBER STATUS ERRORS EVENTS\n", then ERRORS bytes of standard error and EVENTS bytes of
 * events. STATUS is that of wait. SETTING is OPSPEC_FAIL or OPSPEC_WORKSPACE, and NUMBER its value. */
#define _GNU_SOURCE /* memfd_create */
#include "driver.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_CALLS = 5000 };
enum { EACH = 200, STEP = 7 }; /* an example of more calls has ranks that do the same: of those behind some will do */

static int errors;          /* descriptors of memory that children write to */
static int events;
static char events_path[64];

bool sim_fails(const char *function); /* of libopspec_sim.so */

/* --- calls that the simulator does not fail: the linker sends those of the stubs here */

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_calloc(size_t count, size_t size)
{
    return sim_fails("calloc") ? NULL : __real_calloc(count, size);
}

enum { NOT_RELEASED = 507999 };

/* What releases does so, and says that it failed: the stub goes on and tells. Handles are pointers, all of them. */
#define RELEASES(function, type)                                             \
    int __real_##function(type object);                                      \
    int __wrap_##function(type object);                                      \
                                                                             \
    int __wrap_##function(type object)                                       \
    {                                                                        \
        const int status = __real_##function(object);                        \
        return status == 0 && sim_fails(#function) ? NOT_RELEASED : status;  \
    }

RELEASES(aclDestroyTensor, const void *)
RELEASES(aclDestroyScalar, const void *)
RELEASES(aclDestroyIntArray, const void *)
RELEASES(aclDestroyFloatArray, const void *)
RELEASES(aclDestroyBoolArray, const void *)
RELEASES(aclDestroyTensorList, const void *)
RELEASES(aclDestroyScalarList, const void *)
RELEASES(aclDestroyAclOpExecutor, void *)
RELEASES(aclrtFree, void *)
RELEASES(aclrtDestroyStream, void *)
RELEASES(aclrtResetDevice, int)

int __real_aclFinalize(void);
int __wrap_aclFinalize(void);

int __wrap_aclFinalize(void)
{
    const int status = __real_aclFinalize();
    return status == 0 && sim_fails("aclFinalize") ? NOT_RELEASED : status;
}

/* --- runs */

static void give_up(const char *what)
{
    perror(what);
    exit(70);
}

static int memory(const char *name)
{
    const int made = memfd_create(name, 0);
    if (made < 0) {
        give_up("memfd_create");
    }
    return made;
}

_Noreturn static void child(const driver_case *entry, const char *setting, int number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    setenv(setting, text, 1);
    setenv("OPSPEC_EVENTS", events_path, 1);
    setenv("OPSPEC_OUTPUT", "none", 1);
    setenv("OPSPEC_SOC_NAME", entry->soc, 1);
    if (dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO) < 0 || dup2(errors, STDERR_FILENO) < 0) {
        _exit(70);
    }
    alarm(60);
    exit(entry->run());
}

/* The bytes that were written to memory, with a NUL behind them; the memory is emptied. */
static char *taken(int from, size_t *size)
{
    const off_t end = lseek(from, 0, SEEK_END);
    char *text = malloc((size_t)end + 1);
    if (end < 0 || text == NULL || pread(from, text, (size_t)end, 0) != end || ftruncate(from, 0) != 0 ||
        lseek(from, 0, SEEK_SET) != 0) {
        give_up("reading back");
    }
    text[end] = '\0';
    *size = (size_t)end;
    return text;
}

/* One run. Says whether a call was made to fail. */
static bool run(const driver_case *entry, const char *setting, int number)
{
    const pid_t pid = fork();
    int status = 0;
    if (pid == 0) {
        child(entry, setting, number);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid) {
        give_up("fork");
    }
    size_t said = 0;
    size_t told = 0;
    char *error_text = taken(errors, &said);
    char *event_text = taken(events, &told);
    printf("%s %s %d %d %zu %zu\n", entry->op, setting, number, status, said, told);
    fwrite(error_text, 1, said, stdout);
    fwrite(event_text, 1, told, stdout);
    fflush(stdout); /* what is left in it would be written by children, too */
    const bool failed = strstr(event_text, "fault.injected") != NULL;
    free(error_text);
    free(event_text);
    return failed;
}

/* All runs of an operator: of its calls number `first`, `first + every` ... fail. */
static void run_all(const driver_case *entry, int first, int every)
{
    run(entry, "OPSPEC_FAIL", 0);
    for (int number = first; number < MOST_CALLS && run(entry, "OPSPEC_FAIL", number);) {
        number += number < EACH ? every : STEP * every;
    }
    run(entry, "OPSPEC_WORKSPACE", 0);
}

int main(int argc, char **argv)
{
    if (argc != 4 || atoi(argv[2]) < 1 || atoi(argv[3]) < 1) {
        return 2;
    }
    const int every = atoi(argv[3]);
    errors = memory("errors");
    events = memory("events");
    snprintf(events_path, sizeof events_path, "/proc/%d/fd/%d", (int)getpid(), events);
    for (int i = atoi(argv[1]); i < driver_case_count; i += atoi(argv[2])) {
        run_all(&driver_cases[i], 1 + i % every, every);
    }
    return 0;
}
