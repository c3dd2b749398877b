/* Names of the vocabulary by number, and products by name. See opspec_say.h. */
#include "opspec_say.h"
#include "opspec_text.h"

#include <string.h>

const char *opspec_dtype_name(int32_t dtype) { return opspec_named(opspec_dtype_names, dtype); }
const char *opspec_format_name(int32_t format) { return opspec_named(opspec_format_names, format); }
const char *opspec_product_name(int32_t product) { return opspec_named(opspec_product_names, product); }
const char *opspec_status_name(int32_t status) { return opspec_named(opspec_status_names, status); }

int32_t opspec_product_id(int32_t product)
{
    return product > 0 && product < OPSPEC_PRODUCTS_END ? opspec_product_ids[product] : 0;
}

/* A name without case, spaces, dashes and underscores; false when it is too long for a product's. */
static bool folded(const char *name, char text[OPSPEC_SPELLING_MAX])
{
    size_t size = 0;
    for (; *name != '\0'; name++) {
        if (strchr(" \t\r\n-_", *name) != NULL)
            continue;
        if (size == OPSPEC_SPELLING_MAX - 1)
            return false;
        text[size++] = *name >= 'A' && *name <= 'Z' ? (char)(*name - 'A' + 'a') : *name;
    }
    text[size] = '\0';
    return size > 0;
}

static int32_t spelled(const char *text)
{
    size_t low = 0, high = OPSPEC_SPELLINGS;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(opspec_product_spellings[middle].name, text);
        if (order == 0)
            return opspec_product_spellings[middle].number;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}

static bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

/* A SoC's name whose last two characters vary. */
static int32_t formed(const char *text)
{
    const size_t size = strlen(text);
    for (const opspec_name *form = opspec_soc_forms; form->name != NULL; form++)
        if (size == strlen(form->name) + 2 && strncmp(text, form->name, size - 2) == 0)
            return is_word(text[size - 2]) && is_word(text[size - 1]) ? form->number : 0;
    return 0;
}

int32_t opspec_product_of(const char *name)
{
    char text[OPSPEC_SPELLING_MAX];
    if (name == NULL || !folded(name, text))
        return 0;
    const int32_t found = spelled(text);
    return found != 0 ? found : formed(text);
}

int32_t opspec_product_of_soc(const char *name)
{
    char text[OPSPEC_SPELLING_MAX];
    const bool is_soc = name != NULL && folded(name, text) && strncmp(text, "ascend", strlen("ascend")) == 0;
    return is_soc ? opspec_product_of(name) : 0;
}
