/* Functions with bounds. */
#include "scenario.h"

#include <errno.h>

#include "securec.h"

enum { RESET = 128 };

static void bytes(void)
{
    char room[8] = "1234567";
    OK(memcpy_s(room, 8, "abc", 4));
    OK(strcmp(room, "abc"));
    IS(memcpy_s(room, 8, "abcdefghi", 9), ERANGE + RESET);
    IS(room[0], 0);
    IS(memcpy_s(NULL, 8, "a", 1), EINVAL);
    IS(memcpy_s(room, 8, NULL, 1), EINVAL + RESET);
    IS(memcpy_s(room, 0, "a", 1), ERANGE);
    strcpy(room, "1234567");
    IS(memcpy_s(room + 1, 7, room, 4), 54 + RESET);
    strcpy(room, "1234567");
    OK(memmove_s(room + 1, 7, room, 4));
    OK(strcmp(room, "1123467"));
    OK(memset_s(room, 8, 'x', 8));
    IS(room[7], 'x');
    IS(memset_s(room, 8, 'y', 9), ERANGE + RESET);
    IS(room[7], 'y');
    IS(memset_s(NULL, 8, 0, 1), EINVAL);
}

static void strings(void)
{
    char room[8] = "", endless[8] = "xxxxxxx";
    endless[7] = 'x';
    OK(strcpy_s(room, 8, "1234567"));
    IS(strcpy_s(room, 8, "12345678"), ERANGE + RESET);
    IS(room[0], 0);
    OK(strncpy_s(room, 8, "12345678", 7));
    OK(strcmp(room, "1234567"));
    OK(strncpy_s(room, 8, "ab", 7));
    OK(strcmp(room, "ab"));
    OK(strcat_s(room, 8, "cdefg"));
    OK(strcmp(room, "abcdefg"));
    IS(strcat_s(room, 8, "h"), ERANGE + RESET);
    OK(strncat_s(room, 8, "abcdefghij", 3));
    OK(strcmp(room, "abc"));
    IS(strcat_s(endless, 8, "a"), EINVAL + RESET);
    IS(strcpy_s(NULL, 8, "a"), EINVAL);
    IS(strcpy_s(room, 8, NULL), EINVAL + RESET);
    IS(strcpy_s(room, 0, "a"), ERANGE);
    OK(strcpy_s(room, 8, "abc"));
    IS(strcpy_s(room + 1, 7, room), 54 + RESET);
}

static void formats(void)
{
    char room[8] = "";
    IS(sprintf_s(room, 8, "%d", 1234567), 7);
    IS(sprintf_s(room, 8, "%d", 12345678), -1);
    IS(room[0], 0);
    IS(snprintf_s(room, 8, 3, "%d", 12345), -1);
    OK(strcmp(room, "123"));
    IS(snprintf_s(room, 8, 7, "%d", 12345), 5);
    IS(snprintf_s(room, 8, 8, "%s", "123456789"), -1);
    IS(room[0], 0);
    IS(sprintf_s(NULL, 8, "%d", 1), -1);
}

int main(int argc, char **argv)
{
    static const scenario list[] = {{"bytes", bytes}, {"strings", strings}, {"formats", formats}};
    return run_scenario(list, sizeof list / sizeof list[0], argc, argv);
}
