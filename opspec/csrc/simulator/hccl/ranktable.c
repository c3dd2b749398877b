/* Of a table's JSON only the values of its keys "rank_id" are read: all else is about the network. */
#include "ranktable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/errors.h"

enum { FILE_MAX = 1 << 20, RANKS_MAX = 32768 };

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = file == NULL ? NULL : malloc(FILE_MAX + 1);
    if (text != NULL)
        text[fread(text, 1, FILE_MAX, file)] = '\0';
    if (file != NULL)
        (void)fclose(file);
    return text;
}

/* The number behind a key, in quotes or not; -1 when there is none. */
static long rank_at(const char *text)
{
    text += strspn(text, " \t\r\n");
    if (*text++ != ':')
        return -1;
    text += strspn(text, " \t\r\n\"");
    char *end;
    const long rank = strtol(text, &end, 10);
    return end == text || rank < 0 || rank >= RANKS_MAX ? -1 : rank;
}

static HcclResult bad(const char *function, const char *path, const char *why)
{
    return (HcclResult)sim_refused(HCCL_E_PARA, "%s: %.200s: %s", function, path, why);
}

HcclResult sim_ranktable_size(const char *path, const char *function, uint32_t *size)
{
    static const char key[] = "\"rank_id\"";
    char *text = read_file(path);
    bool *seen = calloc(RANKS_MAX, sizeof *seen);
    const char *wrong = NULL;
    long count = 0, highest = -1;
    if (text == NULL || seen == NULL) {
        free(text);
        free(seen);
        return (HcclResult)sim_refused(HCCL_E_OPEN_FILE_FAILURE, "%s: cannot read %.200s", function, path);
    }
    for (const char *at = strstr(text, key); at != NULL && wrong == NULL; at = strstr(at, key)) {
        at += sizeof key - 1;
        const long rank = rank_at(at);
        if (rank < 0 || seen[rank])
            wrong = rank < 0 ? "a rank_id is no number" : "a rank_id is there twice";
        else
            seen[rank] = true;
        highest = rank > highest ? rank : highest;
        count++;
    }
    free(text);
    free(seen);
    if (wrong != NULL || count == 0 || highest != count - 1)
        return bad(function, path, wrong != NULL ? wrong : "ranks are not numbered from 0 without gaps");
    *size = (uint32_t)count;
    return HCCL_SUCCESS;
}
