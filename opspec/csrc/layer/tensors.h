/* Tensors that were not seen created. */
#ifndef OPSPEC_LAYER_TENSORS_H
#define OPSPEC_LAYER_TENSORS_H

#include "arguments.h"

/* A record of what the real library's getters say; NULL when they say nothing. */
opspec_handle *layer_read_tensor(const void *tensor);
opspec_handle *layer_ask_tensor(const void *tensor); /* of a live one, for sure */

#endif
