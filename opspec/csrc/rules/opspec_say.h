/* What is wrong with a call, in words; and a call as JSON. Both like snprintf: at most size bytes with the final NUL
 * are written, and the length that the whole text has is returned. */
#ifndef OPSPEC_SAY_H
#define OPSPEC_SAY_H

#include "opspec_rules.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why a call breaks a rule (an index into op->rules, of a verdict's violations or warnings; OPSPEC_PRODUCT_UNKNOWN
 * too): what is required, what was found, and the condition under which it is. In English; UTF-8. */
size_t opspec_say_rule(const opspec_operator *op, const opspec_call *call, int rule, char *text, size_t size);

/* A call as one object in the form that "opspec check" reads: {"op": ..., "release": ..., "product": ..., "args":
 * {...}}; without a line end. Arguments that are not known are left out, and named in "unknown". */
size_t opspec_say_call(const opspec_operator *op, const opspec_call *call, char *json, size_t size);

/* Canonical names; a product's may be a member's ("910b-training"). NULL for a number that has none. */
const char *opspec_dtype_name(int32_t dtype);
const char *opspec_format_name(int32_t format);
const char *opspec_product_name(int32_t product);
/* A product or member by any one of its spellings ("910b", "A2", "Ascend910B1"), without regard to case, spaces,
 * dashes and underscores; 0 when there is none. The second one takes names of SoCs only. */
int32_t opspec_product_of(const char *name);
int32_t opspec_product_of_soc(const char *name);
int32_t opspec_product_id(int32_t product); /* the id of a member; an id's own; 0 when there is none */
const char *opspec_status_name(int32_t status);  /* "ACLNN_ERR_PARAM_INVALID"; NULL when it has none */

#ifdef __cplusplus
}
#endif

#endif
