/* Words that tests of events can know beforehand. */
#include "opspec_say.h"

#include <stdio.h>

size_t opspec_say_rule(const opspec_operator *op, const opspec_call *call, int rule, char *text, size_t size)
{
    (void)op;
    (void)call;
    return (size_t)snprintf(text, size, "rule %d says \"no\"", rule);
}

size_t opspec_say_call(const opspec_operator *op, const opspec_call *call, char *json, size_t size)
{
    (void)call;
    return (size_t)snprintf(json, size, "{\"op\": \"%s\", \"args\": {\"x\": \"%2000s\"}}", op->name, "");
}

const char *opspec_product_name(int32_t product) { return product == OPSPEC_PRODUCT_910B ? "910b" : NULL; }
const char *opspec_status_name(int32_t status) { return status == 161002 ? "ACLNN_ERR_PARAM_INVALID" : NULL; }
