/* Tells what its arguments name, one by one: see test_events.py. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "events.h"

static const opspec_param params[] = {{"self", OPSPEC_KIND_TENSOR, false}};
enum { EVERYWHERE = 0x7FFFFFFF };
static const opspec_rule rules[] = {
    {.id = "self.null", .status = 161001, .flags = OPSPEC_RULE_NULL, .refused = EVERYWHERE},
    {.id = "self.dtype", .status = 161002, .refused = EVERYWHERE},
    {.id = "out-shape", .status = 161002, .param = -1, .refused = EVERYWHERE},
    {.id = "self.layout", .status = 161002, .flags = OPSPEC_RULE_ASSUMED},
    {.id = "self.format", .status = 161002},
    {.id = "self.rank", .status = 161002, .unknown = EVERYWHERE},
    {.id = "out.rank", .status = 161002, .param = -1, .unknown = EVERYWHERE, .flags = OPSPEC_RULE_ASSUMED},
};
static const opspec_operator operators[] = {
    {.name = "aclnnFirst", .release = "9.1.0", .params = params, .rules = rules, .param_count = 1, .rule_count = 7},
    {.name = "aclnnSecond", .release = "9.1.0", .params = params, .rules = rules, .param_count = 1, .rule_count = 7},
};
static const opspec_arg args[1];
static const opspec_call call = {args, OPSPEC_PRODUCT_910B, 0};

enum { NONE = -9 };

static void tell(const opspec_operator *op, int violation, int warning, int undecided, int32_t actual, char *message)
{
    opspec_verdict verdict = {.legal = violation < 0, .decisive = -1};
    if (violation >= 0) {
        verdict.decisive = rules[violation].refused != 0 ? 0 : -1;
        verdict.refused[verdict.violation_count] = rules[violation].refused != 0;
        verdict.unknown[verdict.violation_count] = rules[violation].unknown != 0;
        verdict.assumed[verdict.violation_count] = (rules[violation].flags & OPSPEC_RULE_ASSUMED) != 0;
        verdict.violations[verdict.violation_count++] = (int16_t)violation;
        verdict.status = rules[violation].refused != 0 ? rules[violation].status : 0;
    }
    if (warning != NONE)
        verdict.warnings[verdict.warning_count++] = (int16_t)warning;
    if (undecided >= 0)
        verdict.undecided[verdict.undecided_count++] = (opspec_undecided){(int16_t)undecided, -1, OPSPEC_LACKS_DATA};
    opspec_tell_verdict(OPSPEC_LAYER, op, &call, &verdict, actual < 0 ? verdict.status : actual, message, message ? 64 : 0);
}

static void *many(void *unused)
{
    for (int i = 0; i < 500; i++) {
        tell(&operators[i % 2], i % 3, 3, 0, -1, NULL);
        opspec_tell(OPSPEC_LAYER, FOUND_HANDLE_DESTROYED, "number %d", i);
    }
    return unused;
}

static void in_threads(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, many, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

static void in_child(void)
{
    const pid_t child = fork();
    if (child == 0) {
        tell(&operators[1], 1, NONE, -1, -1, NULL);
        exit(0);
    }
    waitpid(child, NULL, 0);
}

/* Another file gets the number that opspec's had. */
static void steal_descriptors(const char *path)
{
    for (int i = 3; i < 64; i++)
        close(i);
    for (int i = 3; i < 16; i++)
        open(path, O_WRONLY | O_CREAT, 0644);
}

int main(int count, char **words)
{
    char message[64];
    for (int i = 1; i < count; i++) {
        const char *word = words[i];
        errno = 77;
        if (strcmp(word, "legal") == 0)
            tell(&operators[0], -1, NONE, -1, -1, NULL);
        else if (strcmp(word, "dtype") == 0)
            tell(&operators[0], 1, NONE, -1, -1, NULL);
        else if (strcmp(word, "both") == 0)
            tell(&operators[1], 2, 3, 0, -1, NULL);
        else if (strcmp(word, "untold") == 0)
            tell(&operators[0], 4, NONE, -1, -1, NULL);
        else if (strcmp(word, "untold-assumed") == 0)
            tell(&operators[0], 3, NONE, -1, -1, NULL);
        else if (strcmp(word, "unknown") == 0)
            tell(&operators[0], 5, NONE, -1, -1, NULL);
        else if (strcmp(word, "unknown-assumed") == 0)
            tell(&operators[0], 6, NONE, -1, -1, NULL);
        else if (strcmp(word, "warning") == 0)
            tell(&operators[0], -1, 3, -1, -1, NULL);
        else if (strcmp(word, "doubt") == 0)
            tell(&operators[0], -1, OPSPEC_PRODUCT_UNKNOWN, -1, -1, NULL);
        else if (strcmp(word, "differs") == 0)
            tell(&operators[0], -1, NONE, -1, 361001, NULL);
        else if (strcmp(word, "fault") == 0) {
            const opspec_verdict verdict = {.status = OPSPEC_FAULT, .fault = "it broke", .fault_rule = 1};
            opspec_tell_verdict(OPSPEC_LAYER, &operators[0], &call, &verdict, 0, message, sizeof message);
            printf("%s\n", message);
        } else if (strcmp(word, "calling") == 0) {
            opspec_verdict verdict = {.status = 161002, .violation_count = 1, .violations = {1}, .refused = {1}};
            opspec_tell_calling(OPSPEC_LAYER, &operators[0], &call, &verdict);
            opspec_tell_called(OPSPEC_LAYER, &operators[0], &call, &verdict, 0, NULL);
        } else if (strcmp(word, "message") == 0) {
            tell(&operators[0], 1, NONE, -1, -1, message);
            printf("[%s]", message);
            tell(&operators[0], 3, NONE, -1, -1, message);
            printf("[%s]", message);
            tell(&operators[0], -1, NONE, -1, -1, message);
            printf("[%s]\n", message);
        } else if (strcmp(word, "leak") == 0)
            opspec_tell(OPSPEC_SIMULATOR, FOUND_STREAM_LEAK, "%d bytes of \"%s\"\n\xff", 12, "x");
        else if (strcmp(word, "long") == 0) {
            char *text = calloc(1, 100001);
            memset(text, 'x', 100000);
            opspec_tell(OPSPEC_LAYER, FOUND_LIBRARY_MISSING, "%s", text);
            free(text);
        } else if (strcmp(word, "threads") == 0)
            in_threads();
        else if (strcmp(word, "fork") == 0)
            in_child();
        else if (strcmp(word, "end") == 0)
            opspec_tell_end();
        else
            steal_descriptors(word);
        if (errno != 77 && strchr(word, '/') == NULL && strcmp(word, "fork") != 0)
            printf("%s changed errno\n", word);
    }
    return 0;
}
