/* What the SDK was built for. Its definitions are written by "opspec sdk build"; environment variables may say otherwise
 * when a program runs. */
#ifndef OPSPEC_SIM_TARGET_H
#define OPSPEC_SIM_TARGET_H

#include <stdint.h>

extern const int32_t sim_target_product; /* OPSPEC_PRODUCT_... */
extern const int32_t sim_target_member;  /* the same of a member of the family, or 0 */
extern const char sim_target_soc[];      /* the name that aclrtGetSocName gives: "Ascend910B1" */
extern const char sim_target_release[];  /* "9.1.0" */

#endif
