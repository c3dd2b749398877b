/* What the layer's entries call; "opspec layer build" writes the entries (opspec/codegen/entries/layer.py).
 *
 * An entry has the name of a first phase. It finds the real function, brings the arguments to the rules, tells what is
 * wrong with them, and hands the call on as it came. Nothing here is exported.
 */
#ifndef OPSPEC_LAYER_H
#define OPSPEC_LAYER_H

#include "arguments.h"
#include "events.h"
#include "real.h"

/* Written with the entries: */
extern const int32_t layer_target_product; /* what the layer was built for, or 0 */
extern const int32_t layer_target_member;

/* --- calls -------------------------------------------------------------------------------------------------------- */

enum { LAYER_READ_MAX = 8 }; /* tensors of a call that are read through getters */

/* A call on its way through the layer. */
typedef struct {
    const opspec_operator *op;
    opspec_call call;
    int32_t read_count;
    opspec_handle *read[LAYER_READ_MAX];
    opspec_verdict verdict;
    bool is_vetoed;
} layer_call;

/* Whether this thread is inside a call of the layer: what a library calls on its own behalf is not the program's. */
extern _Thread_local bool layer_inside;

/* Judge a call and tell what is wrong: 0 to hand it on, else the status to return without that. */
int32_t layer_begin(layer_call *call, const opspec_operator *op, opspec_passed *passed);
/* Behind the call, with the status that it returns: the library's, or the predicted one where it was not handed on. */
void layer_end(layer_call *call, int32_t status);

/* --- the recent error message (messages.c) ----------------------------------------------------------------------- */

enum { LAYER_MESSAGE_MAX = 4096 };

/* What the library says of the call that just failed; the program gets it none the less. NULL: nothing, or the program
 * asks the library past the layer, and what the layer took would be gone for it. */
const char *layer_message_of_library(void);
/* Where the message is written that the program gets when it asks next; NULL: no memory. */
char *layer_message_room(void);

/* What its getters say now of a tensor that the call has changed; nothing where they may not be asked. */
void layer_read_again(const void *tensor);

/* What the state that the map gives for a handle says here, where not all objects need have been seen created. */
opspec_handle_state layer_state_of(opspec_handle_state state);

#endif
