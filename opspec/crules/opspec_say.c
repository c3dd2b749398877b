/* Why a call breaks a rule. See opspec_say.h. */
#include "opspec_say.h"
#include "opspec_text.h"

#include <string.h>

size_t opspec_say_rule(const opspec_operator *op, const opspec_call *call, int rule, char *text, size_t size)
{
    opspec_out out = {text, size, 0};
    (void)call;
    if (rule >= 0 && rule < op->rule_count)
        opspec_put(&out, op->rules[rule].id);
    return opspec_put_end(&out);
}
