/* What a build of an SDK writes; words of rules, of which there are none here. */
#include "sim_target.h"

#include <stdio.h>

#include "opspec_say.h"

const int32_t sim_target_product = OPSPEC_PRODUCT_910B;
const int32_t sim_target_member = OPSPEC_PRODUCT_910B_INFERENCE;
const char sim_target_soc[] = "Ascend910B4";
const char sim_target_release[] = "9.1.0";

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
