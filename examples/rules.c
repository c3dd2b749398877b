/* The rules of one operator in a program of one's own: a call is judged without ACL, without a device. */
#include <stdio.h>

#include "opspec_say.h"

extern const opspec_operator opspec_aclnnAdd;

int main(void)
{
    const int64_t matrix[] = {2, 3}, vector[] = {4};
    const opspec_tensor self = {.rank = 2, .shape = matrix, .dtype = OPSPEC_DT_FLOAT, .format = OPSPEC_FORMAT_ND};
    const opspec_tensor other = {.rank = 1, .shape = vector, .dtype = OPSPEC_DT_FLOAT, .format = OPSPEC_FORMAT_ND};
    const opspec_scalar alpha = {{OPSPEC_REAL, {.real = 1.0}}, OPSPEC_DT_FLOAT};
    const opspec_arg args[] = {{.tensor = &self}, {.tensor = &other}, {.scalar = &alpha}, {.tensor = &self}};
    const opspec_call call = {args, opspec_product_of("910b"), 0};

    static opspec_verdict verdict;
    char text[512];
    const int32_t status = opspec_judge(&opspec_aclnnAdd, &call, &verdict);
    printf("%s\n", opspec_status_name(status));
    for (int i = 0; i < verdict.violation_count; i++) {
        opspec_say_rule(&opspec_aclnnAdd, &call, verdict.violations[i], text, sizeof text);
        printf("%s: %s\n", opspec_aclnnAdd.rules[verdict.violations[i]].id, text);
    }
    return 0;
}
