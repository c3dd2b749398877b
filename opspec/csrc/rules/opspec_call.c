/* A call as JSON: what opspec.validator.convert reads. See opspec_say.h. */
#include "opspec_say.h"
#include "opspec_text.h"

#include <string.h>

static void put_string(opspec_out *out, const char *text, size_t size)
{
    static const char hex[] = "0123456789abcdef";
    opspec_put(out, "\"");
    for (size_t i = 0; i < size;) {
        const unsigned char byte = (unsigned char)text[i];
        const size_t count = opspec_character(text + i, size - i);
        if (count == 0) {
            opspec_put(out, "\\ufffd");
        } else if (byte == '"' || byte == '\\') {
            opspec_put(out, byte == '"' ? "\\\"" : "\\\\");
        } else if (byte < 0x20 || byte == 0x7F) {
            opspec_put(out, "\\u00");
            opspec_put_bytes(out, &hex[byte >> 4], 1);
            opspec_put_bytes(out, &hex[byte & 15], 1);
        } else {
            opspec_put_bytes(out, text + i, count);
        }
        i += count == 0 ? 1 : count;
    }
    opspec_put(out, "\"");
}

static void put_text(opspec_out *out, const char *text) { put_string(out, text, strlen(text)); }

static void put_real(opspec_out *out, double value)
{
    const bool finite = value - value == 0;
    opspec_put(out, finite ? "" : "\"");
    opspec_put_real(out, value);
    opspec_put(out, finite ? "" : "\"");
}

static void put_number(opspec_out *out, opspec_number value)
{
    if (opspec_number_cause(value))
        opspec_put(out, "null");
    else if (value.kind == OPSPEC_REAL)
        put_real(out, value.as.real);
    else
        opspec_put_number(out, value);
}

static void put_bool(opspec_out *out, bool value) { opspec_put(out, value ? "true" : "false"); }

/* A dtype or format by name, or by number where it has none. */
static void put_name(opspec_out *out, const opspec_name *names, int64_t number)
{
    const char *name = opspec_named(names, number);
    if (name != NULL)
        put_text(out, name);
    else
        opspec_put_int(out, number);
}

static void put_ints(opspec_out *out, const int64_t *items, int64_t count, bool boolean)
{
    opspec_put(out, "[");
    for (int64_t i = 0; i < count; i++) {
        opspec_put(out, i > 0 ? ", " : "");
        if (boolean)
            put_bool(out, items[i] != 0);
        else
            opspec_put_int(out, items[i]);
    }
    opspec_put(out, "]");
}

static void put_numbers(opspec_out *out, const opspec_number *items, int64_t count)
{
    opspec_put(out, "[");
    for (int64_t i = 0; i < count; i++) {
        opspec_put(out, i > 0 ? ", " : "");
        put_number(out, items[i]);
    }
    opspec_put(out, "]");
}

static void put_tensor(opspec_out *out, const opspec_tensor *t)
{
    if (t == NULL) {
        opspec_put(out, "null");
        return;
    }
    opspec_put(out, "{\"shape\": ");
    put_ints(out, t->shape, t->rank, false);
    opspec_put(out, ", \"dtype\": ");
    put_name(out, opspec_dtype_names, t->dtype);
    opspec_put(out, ", \"format\": ");
    put_name(out, opspec_format_names, t->format);
    if (t->strides != NULL) {
        opspec_put(out, ", \"strides\": ");
        put_ints(out, t->strides, t->rank, false);
    }
    if (t->offset != 0) {
        opspec_put(out, ", \"offset\": ");
        opspec_put_int(out, t->offset);
    }
    if (t->storage_shape != NULL) {
        opspec_put(out, ", \"storage_shape\": ");
        put_ints(out, t->storage_shape, t->storage_rank, false);
    }
    if (t->has_storage_format) {
        opspec_put(out, ", \"storage_format\": ");
        put_name(out, opspec_format_names, t->storage_format);
    }
    if (t->values != NULL && !opspec_is_complex(t->dtype)) {
        opspec_put(out, ", \"values\": ");
        put_numbers(out, t->values, t->value_count);
    }
    opspec_put(out, "}");
}

static void put_scalar(opspec_out *out, const opspec_scalar *s)
{
    if (s == NULL) {
        opspec_put(out, "null");
        return;
    }
    opspec_put(out, "{\"dtype\": ");
    put_name(out, opspec_dtype_names, s->dtype);
    opspec_put(out, ", \"value\": ");
    put_number(out, s->value);
    opspec_put(out, "}");
}

static void put_tensors(opspec_out *out, const opspec_tensors *list)
{
    opspec_put(out, "[");
    for (int64_t i = 0; i < list->count; i++) {
        opspec_put(out, i > 0 ? ", " : "");
        put_tensor(out, list->items[i]);
    }
    opspec_put(out, "]");
}

static void put_scalars(opspec_out *out, const opspec_scalars *list)
{
    opspec_put(out, "[");
    for (int64_t i = 0; i < list->count; i++) {
        opspec_put(out, i > 0 ? ", " : "");
        put_scalar(out, list->items[i]);
    }
    opspec_put(out, "]");
}

/* What an argument's object is named, where it has one. */
static const char *const WRAPPERS[] = {
    [OPSPEC_KIND_TENSOR] = "tensor",     [OPSPEC_KIND_TENSORS] = "tensor_list",
    [OPSPEC_KIND_SCALAR] = "scalar",     [OPSPEC_KIND_SCALARS] = "scalar_list",
    [OPSPEC_KIND_INTS] = "int_array",    [OPSPEC_KIND_BOOLS] = "bool_array",
    [OPSPEC_KIND_NUMBERS] = "float_array", [OPSPEC_KIND_DTYPE] = "dtype",
    [OPSPEC_KIND_POINTER] = "pointer",   [OPSPEC_KIND_REAL] = NULL,
};

static void put_value(opspec_out *out, opspec_kind kind, const opspec_arg *arg)
{
    switch (kind) {
    case OPSPEC_KIND_TENSOR: put_tensor(out, arg->tensor); break;
    case OPSPEC_KIND_TENSORS: put_tensors(out, arg->tensors); break;
    case OPSPEC_KIND_SCALAR: put_scalar(out, arg->scalar); break;
    case OPSPEC_KIND_SCALARS: put_scalars(out, arg->scalars); break;
    case OPSPEC_KIND_INTS: put_ints(out, arg->ints->items, arg->ints->count, false); break;
    case OPSPEC_KIND_BOOLS: put_ints(out, arg->ints->items, arg->ints->count, true); break;
    case OPSPEC_KIND_NUMBERS: put_numbers(out, arg->numbers->items, arg->numbers->count); break;
    case OPSPEC_KIND_STRING: put_string(out, arg->string, (size_t)opspec_string(arg->string).size); break;
    case OPSPEC_KIND_POINTER: opspec_put(out, "true"); break;
    case OPSPEC_KIND_INTEGER: opspec_put_int(out, arg->integer); break;
    case OPSPEC_KIND_NATURAL: opspec_put_int(out, (opspec_int)arg->natural); break;
    case OPSPEC_KIND_BOOL: put_bool(out, arg->integer != 0); break;
    case OPSPEC_KIND_DTYPE: put_name(out, opspec_dtype_names, arg->integer); break;
    case OPSPEC_KIND_REAL: put_real(out, arg->real); break;
    }
}

static bool is_pointer(opspec_kind kind) { return kind <= OPSPEC_KIND_POINTER; }

static void put_argument(opspec_out *out, opspec_kind kind, const opspec_arg *arg)
{
    if (is_pointer(kind) && arg->pointer == NULL) {
        opspec_put(out, "null");
        return;
    }
    if (WRAPPERS[kind] != NULL) {
        opspec_put(out, "{");
        put_text(out, WRAPPERS[kind]);
        opspec_put(out, ": ");
    }
    put_value(out, kind, arg);
    opspec_put(out, WRAPPERS[kind] != NULL ? "}" : "");
}

static void put_unknown(opspec_out *out, const opspec_operator *op, const opspec_call *call)
{
    int count = 0;
    for (int i = 0; i < op->param_count; i++) {
        if (opspec_is_unknown(op->params[i].kind, &call->args[i])) {
            opspec_put(out, count++ > 0 ? ", " : ", \"unknown\": [");
            put_text(out, op->params[i].name);
        }
    }
    opspec_put(out, count > 0 ? "]" : "");
}

size_t opspec_say_call(const opspec_operator *op, const opspec_call *call, char *json, size_t size)
{
    opspec_out out = {json, size, 0};
    const char *product = opspec_product_name(call->member != 0 ? call->member : call->product);
    int count = 0;
    opspec_put(&out, "{\"op\": ");
    put_text(&out, op->name);
    opspec_put(&out, ", \"release\": ");
    put_text(&out, op->release);
    if (product != NULL) {
        opspec_put(&out, ", \"product\": ");
        put_text(&out, product);
    }
    opspec_put(&out, ", \"args\": {");
    for (int i = 0; i < op->param_count; i++) {
        if (opspec_is_unknown(op->params[i].kind, &call->args[i]))
            continue;
        opspec_put(&out, count++ > 0 ? ", " : "");
        put_text(&out, op->params[i].name);
        opspec_put(&out, ": ");
        put_argument(&out, op->params[i].kind, &call->args[i]);
    }
    opspec_put(&out, "}");
    put_unknown(&out, op, call);
    opspec_put(&out, "}");
    return opspec_put_end(&out);
}
