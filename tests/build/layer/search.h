/* How torch_npu finds an operator: vendors' libraries named by the environment, if their owner is root or the user; the
 * installed vendors' ones; one by its bare name; then the toolkit's. A function that is found exists. */
#ifndef SEARCH_H
#define SEARCH_H

#include "aclnn/acl_meta.h"

typedef void (*function)(void);
function search(const char *name);
function direct(const char *library, const char *name); /* in one that is loaded, past the search */

#endif
