/* What a build of an SDK writes, and the words that it takes from the rules' run time. */
#include "sim_target.h"

#include <stdio.h>
#include <string.h>

#include "opspec_say.h"

const int32_t sim_target_product = OPSPEC_PRODUCT_910B;
const int32_t sim_target_member = OPSPEC_PRODUCT_910B_INFERENCE;
const char sim_target_soc[] = "Ascend910B4";
const char sim_target_release[] = "9.1.0";

int32_t opspec_product_of_soc(const char *name)
{
    return strncmp(name, "Ascend950", 9) == 0 ? OPSPEC_PRODUCT_950 : 0;
}

size_t opspec_say_rule(const opspec_operator *op, const opspec_call *call, int rule, char *text, size_t size)
{
    (void)op;
    (void)call;
    return (size_t)snprintf(text, size, "rule %d", rule);
}

size_t opspec_say_call(const opspec_operator *op, const opspec_call *call, char *json, size_t size)
{
    (void)op;
    (void)call;
    return (size_t)snprintf(json, size, "{}");
}

const char *opspec_product_name(int32_t product) { return product == OPSPEC_PRODUCT_910B ? "910b" : NULL; }
const char *opspec_status_name(int32_t status)
{
    (void)status;
    return NULL;
}
