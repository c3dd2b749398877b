#include "core/settings.h"

#include <errno.h>
#include <stdlib.h>

#include "core/errors.h"
#include "events.h"

long long sim_setting(const char *variable, long long otherwise, long long low, long long high)
{
    const char *text = getenv(variable);
    if (text == NULL || *text == '\0')
        return otherwise;
    char *end = NULL;
    errno = 0;
    const long long number = strtoll(text, &end, 10);
    if (errno == 0 && *end == '\0' && number >= low && number <= high)
        return number;
    opspec_tell(OPSPEC_SIMULATOR, FOUND_SETTING_INVALID,
        "%s: %.100s is no number from %lld to %lld; taken as %lld", variable, text, low, high, otherwise);
    return otherwise;
}
