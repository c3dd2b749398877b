/* A call on its way through the layer: judged, told, handed on. */
#include "layer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "opspec_say.h"
#include "tensors.h"

_Thread_local bool layer_inside;

/* --- settings ----------------------------------------------------------------------------------------------------- */

static struct {
    pthread_once_t once;
    bool veto, getters;
} settings = {PTHREAD_ONCE_INIT, false, true};

static bool is_on(const char *variable, bool otherwise)
{
    const char *value = getenv(variable);
    if (value == NULL || *value == '\0')
        return otherwise;
    if (strcmp(value, "0") == 0 || strcmp(value, "1") == 0)
        return *value == '1';
    opspec_tell(OPSPEC_LAYER, FOUND_SETTING_INVALID, "%s: %s is neither 0 nor 1; taken as %d", variable, value,
        otherwise);
    return otherwise;
}

static void read_settings(void)
{
    settings.veto = is_on("OPSPEC_VETO", false);
    settings.getters = is_on("OPSPEC_GETTERS", true);
}

/* --- the product -------------------------------------------------------------------------------------------------- */

enum { ASKED_MAX = 64 }; /* calls at which a device is asked what it is: it may be set after the first of them */

static atomic_int_fast32_t device;
static atomic_int asked;

/* Product or member: what the layer was built for, or else the SoC's; 0 when it is not known. */
static int32_t product(void)
{
    static layer_slot slot = {.name = "aclrtGetSocName"};
    int32_t known = (int32_t)atomic_load_explicit(&device, memory_order_relaxed);
    if (known != 0 || atomic_load_explicit(&asked, memory_order_relaxed) >= ASKED_MAX)
        return known;
    atomic_fetch_add(&asked, 1);
    const layer_function real = layer_real(&slot);
    known = real == NULL ? 0 : opspec_product_of_soc(((const char *(*)(void))real)());
    atomic_store(&device, known);
    return known;
}

static void set_product(opspec_call *call)
{
    if (layer_target_product != 0) {
        call->product = layer_target_product;
        call->member = layer_target_member;
        return;
    }
    const int32_t known = product();
    call->product = opspec_product_id(known);
    call->member = known == call->product ? 0 : known;
}

/* --- handles ------------------------------------------------------------------------------------------------------ */

_Static_assert((int)OPSPEC_KIND_TENSOR == (int)OPSPEC_HANDLE_TENSOR &&
        (int)OPSPEC_KIND_NUMBERS == (int)OPSPEC_HANDLE_NUMBERS,
    "kinds of params that are handles are kinds of handles");

/* Whether the program makes objects past the layer: then what is at a destroyed one's address may be another one. */
static atomic_bool past_layer;

opspec_handle_state layer_state_of(opspec_handle_state state)
{
    if (state == OPSPEC_HANDLE_UNKNOWN && !atomic_load_explicit(&past_layer, memory_order_relaxed))
        atomic_store(&past_layer, true);
    return state == OPSPEC_HANDLE_DESTROYED && atomic_load(&past_layer) ? OPSPEC_HANDLE_UNKNOWN : state;
}

static void tell_wrong(const opspec_operator *op, int32_t param, opspec_handle_kind kind, opspec_handle_state state)
{
    const char *name = op->params[param].name, *type = opspec_handle_kind_name(kind);
    if (state == OPSPEC_HANDLE_UNKNOWN)
        opspec_tell(OPSPEC_LAYER, FOUND_HANDLE_UNKNOWN,
            "%s: the %s %s was not seen created; what it is like is not checked", op->name, type, name);
    else if (state == OPSPEC_HANDLE_DESTROYED)
        opspec_tell(OPSPEC_LAYER, FOUND_HANDLE_DESTROYED, "%s: the %s %s was destroyed", op->name, type, name);
    else
        opspec_tell(OPSPEC_LAYER, FOUND_HANDLE_OTHER_KIND,
            "%s: %s is to be an %s, but is another kind of object", op->name, name, type);
}

static bool read_tensor(layer_call *call, opspec_passed *passed, int32_t param)
{
    opspec_handle *found = !settings.getters || call->read_count == LAYER_READ_MAX
        ? NULL : layer_read_tensor(passed->handles[param]);
    if (found == NULL)
        return false;
    call->read[call->read_count++] = found;
    passed->args[param] = found->arg;
    return true;
}

void layer_read_again(const void *tensor)
{
    opspec_handle_state state;
    opspec_handle *now = NULL;
    layer_inside = true;
    if (settings.getters && opspec_handles_find(tensor, OPSPEC_HANDLE_TENSOR, &state) != NULL)
        now = layer_ask_tensor(tensor);
    if (now != NULL)
        (void)opspec_handles_add(tensor, now);
    layer_inside = false;
}

/* From the first handle on that is not a live one. */
static void look_at_handles(layer_call *call, opspec_passed *passed)
{
    for (int32_t i = passed->wrong; i < passed->count; i++) {
        opspec_handle_state state = OPSPEC_HANDLE_LIVE;
        const opspec_handle_kind kind = (opspec_handle_kind)call->op->params[i].kind;
        if (passed->handles[i] != NULL)
            (void)opspec_handles_find(passed->handles[i], kind, &state);
        state = layer_state_of(state);
        if (state == OPSPEC_HANDLE_UNKNOWN && kind == OPSPEC_HANDLE_TENSOR && read_tensor(call, passed, i))
            continue;
        if (state != OPSPEC_HANDLE_LIVE)
            tell_wrong(call->op, i, kind, state);
    }
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

int32_t layer_begin(layer_call *call, const opspec_operator *op, opspec_passed *passed)
{
    layer_inside = true;
    pthread_once(&settings.once, read_settings);
    call->op = op;
    call->call.args = passed->args;
    call->read_count = 0;
    set_product(&call->call);
    if (passed->wrong >= 0)
        look_at_handles(call, passed);
    (void)opspec_judge(op, &call->call, &call->verdict);
    opspec_tell_calling(OPSPEC_LAYER, op, &call->call, &call->verdict);
    call->is_vetoed = settings.veto && call->verdict.fault == NULL && call->verdict.status != 0;
    return call->is_vetoed ? call->verdict.status : 0;
}

/* Of a call that failed: the library's message where somebody wants it, or ours where the library was not asked. */
static const char *message_of(const layer_call *call, int32_t status)
{
    if (status == 0)
        return NULL;
    if (!call->is_vetoed)
        return opspec_records_calls() ? layer_message_of_library() : NULL;
    char *room = layer_message_room();
    if (room != NULL)
        opspec_message(OPSPEC_LAYER, call->op, &call->call, &call->verdict, room, LAYER_MESSAGE_MAX);
    return room;
}

void layer_end(layer_call *call, int32_t status)
{
    opspec_tell_called(OPSPEC_LAYER, call->op, &call->call, &call->verdict, status, message_of(call, status));
    for (int32_t i = 0; i < call->read_count; i++)
        opspec_handle_free(call->read[i]);
    layer_inside = false;
}
