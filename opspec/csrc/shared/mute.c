/* Patterns of OPSPEC_MUTE: read, matched, and looked through for kinds of findings that there are not. */
#define _POSIX_C_SOURCE 200809L
#include "mute.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "line.h"

enum {
    KIND_MAX = 64, /* bytes of a kind's id, and of a word that is compared with one */
    SLIPS = 2      /* letters that a misspelt kind has wrong, at most */
};

static char *muted; /* patterns, each with a NUL behind it, and an empty one at the end */

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* A pattern is used when stars stand nowhere but at the ends of its parts. */
static bool good_pattern(const char *pattern)
{
    const char *star = strchr(pattern, '*');
    while (star != NULL && (star == pattern || star[-1] == '/' || star[1] == '/' || star[1] == '\0'))
        star = strchr(star + 1, '*');
    if (star == NULL)
        return true;
    opspec_complain("OPSPEC_MUTE: %s: a * can stand at an end only; nothing is muted by it", pattern);
    return false;
}

void opspec_mute(const char *patterns)
{
    char *copy = patterns == NULL ? NULL : strdup(patterns), *rest = NULL;
    char *kept = copy == NULL ? NULL : malloc(strlen(patterns) + 2), *end = kept;
    if (kept != NULL) {
        for (char *word = strtok_r(copy, ", \t\n", &rest); word != NULL; word = strtok_r(NULL, ", \t\n", &rest))
            if (good_pattern(word))
                end = stpcpy(end, word) + 1;
        *end = '\0';
    }
    free(copy);
    muted = kept;
}

/* --- matching ----------------------------------------------------------------------------------------------------- */

/* Whether a text is what a pattern of some bytes says; a star at an end stands for any text. */
static bool matches(const char *pattern, size_t size, const char *text, size_t length)
{
    const bool front = size > 0 && pattern[0] == '*', back = size > 1 && pattern[size - 1] == '*';
    const char *word = pattern + front;
    const size_t bytes = size - front - back;
    if (bytes > length || (!front && memcmp(word, text, bytes) != 0))
        return false;
    if (!front)
        return back || bytes == length;
    for (size_t at = back ? 0 : length - bytes; at + bytes <= length; at++)
        if (memcmp(word, text + at, bytes) == 0)
            return true;
    return false;
}

bool opspec_is_muted(const char *operator, const char *rule)
{
    for (const char *pattern = muted; pattern != NULL && *pattern != '\0'; pattern += strlen(pattern) + 1) {
        const char *slash = strrchr(pattern, '/');
        const char *own = slash == NULL ? pattern : slash + 1;
        if (!matches(own, strlen(own), rule, strlen(rule)))
            continue;
        if (slash == NULL)
            return true;
        const char *start = slash; /* of the operator: a full id has the release before it */
        while (start > pattern && start[-1] != '/')
            start--;
        if (operator != NULL && matches(start, (size_t)(slash - start), operator, strlen(operator)))
            return true;
    }
    return false;
}

/* --- kinds that there are not --------------------------------------------------------------------------------------- */

/* How many letters are to be put in, left out or changed between two words; KIND_MAX when one is too long. */
static int distance(const char *a, const char *b)
{
    const size_t size = strlen(b);
    int row[KIND_MAX];
    if (strlen(a) >= KIND_MAX || size >= KIND_MAX)
        return KIND_MAX;
    for (size_t j = 0; j <= size; j++)
        row[j] = (int)j;
    for (; *a != '\0'; a++) {
        int before = row[0]++;
        for (size_t j = 1; j <= size; j++) {
            const int changed = before + (*a != b[j - 1]);
            before = row[j];
            const int other = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
            row[j] = changed < other ? changed : other;
        }
    }
    return row[size];
}

opspec_finding opspec_finding_near(const char *word)
{
    int nearest = 0;
    for (int kind = 1; kind < OPSPEC_FINDINGS; kind++)
        if (distance(word, opspec_findings[kind].id) < distance(word, opspec_findings[nearest].id))
            nearest = kind;
    return (opspec_finding)nearest;
}

/* A few slips away from a kind; rules' ids are farther off. */
static bool seems_a_kind(const char *word)
{
    const int slips = distance(word, opspec_findings[opspec_finding_near(word)].id);
    return slips > 0 && slips <= SLIPS;
}

const char *opspec_mute_doubt(const char *behind)
{
    const char *word = behind == NULL ? muted : behind + strlen(behind) + 1;
    while (word != NULL && *word != '\0' && !seems_a_kind(word))
        word += strlen(word) + 1;
    return word == NULL || *word == '\0' ? NULL : word;
}
