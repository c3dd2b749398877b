/* Why a call breaks a rule, in words: as opspec.validator.explain says it. See opspec_say.h and opspec_source.h. */
#include "opspec_say.h"
#include "opspec_source.h"
#include "opspec_text.h"

#include <string.h>

struct opspec_saying {
    opspec_out out;
    const opspec_operator *op;
    const opspec_call *call;
    const char *list;               /* of which an element failed that words do not name, or NULL */
    opspec_int places[OPSPEC_DEEPEST + 1]; /* of the elements that failed, by depth; the last is the innermost's */
    const char *because; /* the words' condition; NULL as long as nothing is said */
    int found;
};

/* --- which part failed ------------------------------------------------------------------------------------------- */

int opspec_first(const int *values, int count)
{
    for (int i = 0; i < count; i++)
        if (values[i] == OPSPEC_FALSE)
            return i;
    for (int i = 0; i < count; i++)
        if (values[i] > OPSPEC_TRUE)
            return i;
    return count - 1;
}

void opspec_seek(opspec_sought *found, opspec_int place, int value)
{
    if (value == OPSPEC_FALSE || (value > OPSPEC_TRUE && found->outcome == 0))
        *found = (opspec_sought){place, value == OPSPEC_FALSE ? OPSPEC_FAILED : OPSPEC_UNCLEAR};
}

int opspec_bit_count(uint64_t bits)
{
    int count = 0;
    for (; bits != 0; bits &= bits - 1)
        count++;
    return count;
}

int opspec_nearest(const uint64_t *misfits, int count)
{
    int nearest = 0;
    for (int i = 1; i < count; i++)
        if (opspec_bit_count(misfits[i]) < opspec_bit_count(misfits[nearest]))
            nearest = i;
    return nearest;
}

int opspec_least(const int *values, int count)
{
    int least = 0;
    for (int i = 1; i < count; i++)
        if (values[i] < values[least])
            least = i;
    return least;
}

/* --- words -------------------------------------------------------------------------------------------------------- */

/* Words with the places of the elements that failed in them, where marks stand. */
static void put_words(opspec_saying *say, const char *text)
{
    for (const char *at = text; *at != '\0';) {
        const unsigned char mark = (unsigned char)*at;
        const int depth = mark % OPSPEC_NEXT;
        if (mark < 2 * OPSPEC_NEXT && 0 < depth && depth <= OPSPEC_DEEPEST) {
            opspec_put_int(&say->out, say->places[depth - 1] + mark / OPSPEC_NEXT);
            at++;
        } else {
            const char *end = at + 1;
            while ((unsigned char)*end >= 2 * OPSPEC_NEXT)
                end++;
            opspec_put_bytes(&say->out, at, (size_t)(end - at));
            at = end;
        }
    }
}

/* --- values ------------------------------------------------------------------------------------------------------ */

/* The bytes of at most so many characters of a text; a byte that is of none counts as one. */
static int64_t bytes_of(opspec_str text, int characters)
{
    int64_t at = 0;
    for (int i = 0; i < characters && at < text.size; i++) {
        const size_t size = opspec_character(text.text + at, (size_t)(text.size - at));
        at += (int64_t)(size ? size : 1);
    }
    return at;
}

/* Text in quotes: its beginning when it is long, and no bytes that are no text. */
static void put_text(opspec_out *out, opspec_str text)
{
    const bool whole = bytes_of(text, OPSPEC_CHARACTERS_MAX) == text.size;
    const int64_t end = whole ? text.size : bytes_of(text, OPSPEC_CHARACTERS_MAX - 1);
    opspec_put(out, "\"");
    for (int64_t at = 0; at < end;) {
        const size_t size = opspec_character(text.text + at, (size_t)(text.size - at));
        if (size > 0)
            opspec_put_bytes(out, text.text + at, size);
        else
            opspec_put(out, "\xEF\xBF\xBD");
        at += (int64_t)(size ? size : 1);
    }
    opspec_put(out, whole ? "\"" : "\xE2\x80\xA6\"");
}

static void put_bool(opspec_out *out, int64_t value) { opspec_put(out, value ? "true" : "false"); }

/* Between the elements of a list: a comma, or what ends one that is cut; false when it is at its end. */
static bool next(opspec_out *out, int64_t i, int64_t count)
{
    if (i == 0)
        opspec_put(out, "[");
    if (i < count && i < OPSPEC_ITEMS_MAX) {
        opspec_put(out, i > 0 ? ", " : "");
        return true;
    }
    if (i < count) {
        opspec_put(out, ", \xE2\x80\xA6 ");
        opspec_put_int(out, count - i);
        opspec_put(out, " more");
    }
    opspec_put(out, "]");
    return false;
}

enum { AS_INT, AS_BOOL, AS_DTYPE, AS_FORMAT };

static void put_whole(opspec_out *out, opspec_int value, int as)
{
    if (as == AS_BOOL)
        put_bool(out, value != 0);
    else if (as == AS_INT)
        opspec_put_int(out, value);
    else
        opspec_put_named(out, as == AS_DTYPE ? opspec_dtype_names : opspec_format_names, (int64_t)value);
}

static void put_ints(opspec_out *out, opspec_ints list, int as)
{
    for (int64_t i = 0; next(out, i, list.count); i++)
        put_whole(out, list.items[i], as);
}

static void put_numbers(opspec_out *out, opspec_numbers list)
{
    for (int64_t i = 0; next(out, i, list.count); i++)
        opspec_put_number(out, list.items[i]);
}

static void put_tensor(opspec_out *out, const opspec_tensor *t)
{
    if (t == NULL) {
        opspec_put(out, "null");
        return;
    }
    opspec_put(out, "Tensor([");
    for (int64_t i = 0; i < t->rank; i++) {
        opspec_put(out, i > 0 ? ", " : "");
        opspec_put_int(out, t->shape[i]);
    }
    opspec_put(out, "], ");
    opspec_put_named(out, opspec_dtype_names, t->dtype);
    opspec_put(out, ", ");
    opspec_put_named(out, opspec_format_names, t->format);
    opspec_put(out, ")");
}

static void put_scalar(opspec_out *out, const opspec_scalar *s)
{
    opspec_put(out, s == NULL ? "null" : "Scalar(");
    if (s == NULL)
        return;
    if (opspec_number_cause(s->value))
        opspec_put(out, "None");
    else
        opspec_put_number(out, s->value);
    opspec_put(out, ", ");
    opspec_put_named(out, opspec_dtype_names, s->dtype);
    opspec_put(out, ")");
}

static void put_tensors(opspec_out *out, opspec_tensors list)
{
    for (int64_t i = 0; next(out, i, list.count); i++)
        put_tensor(out, list.items[i]);
}

static void put_scalars(opspec_out *out, opspec_scalars list)
{
    for (int64_t i = 0; next(out, i, list.count); i++)
        put_scalar(out, list.items[i]);
}

/* --- "found x = 1, y = 2, required 3" ---------------------------------------------------------------------------- */

/* What stands before a value; false when it is not shown. Without a name the value is what is required. */
static bool named(opspec_saying *say, const char *name, int cause)
{
    if (cause != 0 || (name == NULL ? say->found == 0 : say->found >= OPSPEC_VALUES_MAX))
        return false;
    opspec_put(&say->out, say->found == 0 ? "; found " : ", ");
    put_words(say, name == NULL ? "required " : name);
    opspec_put(&say->out, name == NULL ? "" : " = ");
    say->found++;
    return true;
}

#define FOUND(suffix, type, cause, put)                                                                                \
    void opspec_found_##suffix(opspec_saying *say, const char *name, type value)                                       \
    {                                                                                                                  \
        if (named(say, name, cause))                                                                                   \
            put;                                                                                                       \
    }
FOUND(int, opspec_int, opspec_cause(value), opspec_put_int(&say->out, value))
FOUND(bool, int, opspec_bool_cause(value), put_bool(&say->out, value))
FOUND(dtype, opspec_int, opspec_cause(value), put_whole(&say->out, value, AS_DTYPE))
FOUND(format, opspec_int, opspec_cause(value), put_whole(&say->out, value, AS_FORMAT))
FOUND(number, opspec_number, opspec_number_cause(value), opspec_put_number(&say->out, value))
FOUND(str, opspec_str, opspec_count_cause(value.size), put_text(&say->out, value))
FOUND(tensor, const opspec_tensor *, value == NULL ? 0 : opspec_count_cause(value->rank), put_tensor(&say->out, value))
FOUND(ints, opspec_ints, opspec_count_cause(value.count), put_ints(&say->out, value, AS_INT))
FOUND(bools, opspec_ints, opspec_count_cause(value.count), put_ints(&say->out, value, AS_BOOL))
FOUND(dtypes, opspec_ints, opspec_count_cause(value.count), put_ints(&say->out, value, AS_DTYPE))
FOUND(formats, opspec_ints, opspec_count_cause(value.count), put_ints(&say->out, value, AS_FORMAT))
FOUND(numbers, opspec_numbers, opspec_count_cause(value.count), put_numbers(&say->out, value))
FOUND(tensors, opspec_tensors, opspec_count_cause(value.count), put_tensors(&say->out, value))
FOUND(scalars, opspec_scalars, opspec_count_cause(value.count), put_scalars(&say->out, value))

void opspec_found_strs(opspec_saying *say, const char *name, opspec_strs list)
{
    if (!named(say, name, opspec_count_cause(list.count)))
        return;
    for (int64_t i = 0; next(&say->out, i, list.count); i++)
        put_text(&say->out, list.items[i]);
}

void opspec_found_lists(opspec_saying *say, const char *name, opspec_lists list)
{
    if (!named(say, name, opspec_count_cause(list.count)))
        return;
    for (int64_t i = 0; next(&say->out, i, list.count); i++)
        put_ints(&say->out, list.items[i], AS_INT);
}

/* --- values that are known by their names ------------------------------------------------------------------------- */

static void found_attribute(opspec_saying *say, const char *name, const opspec_tensor *t, const char *attribute)
{
    int64_t buffer[OPSPEC_LIST_MAX];
    if (strcmp(attribute, "rank") == 0)
        opspec_found_int(say, name, opspec_rank(t));
    else if (strcmp(attribute, "numel") == 0)
        opspec_found_int(say, name, opspec_numel(t));
    else if (strcmp(attribute, "offset") == 0)
        opspec_found_int(say, name, opspec_offset(t));
    else if (strcmp(attribute, "dtype") == 0)
        opspec_found_dtype(say, name, opspec_dtype(t));
    else if (strcmp(attribute, "format") == 0)
        opspec_found_format(say, name, opspec_format(t));
    else if (strcmp(attribute, "storage_format") == 0)
        opspec_found_format(say, name, opspec_storage_format(t));
    else if (strcmp(attribute, "shape") == 0)
        opspec_found_ints(say, name, opspec_shape(t));
    else if (strcmp(attribute, "strides") == 0)
        opspec_found_ints(say, name, opspec_strides(buffer, t));
    else if (strcmp(attribute, "storage_shape") == 0)
        opspec_found_ints(say, name, opspec_storage_shape(t));
    else if (strcmp(attribute, "values") == 0)
        opspec_found_numbers(say, name, opspec_values(t));
}

static void found_scalar(opspec_saying *say, const char *name, const opspec_scalar *s, const char *attribute)
{
    if (strcmp(attribute, "dtype") == 0)
        opspec_found_dtype(say, name, opspec_scalar_dtype(s));
    else if (*attribute != '\0')
        opspec_found_number(say, name, opspec_scalar_value(s));
    else if (named(say, name, 0))
        put_scalar(&say->out, s);
}

static void found_argument(opspec_saying *say, const char *name, opspec_kind kind, const opspec_arg *arg)
{
    switch (kind) {
    case OPSPEC_KIND_TENSOR: opspec_found_tensor(say, name, arg->tensor); break;
    case OPSPEC_KIND_TENSORS: opspec_found_tensors(say, name, *arg->tensors); break;
    case OPSPEC_KIND_SCALARS: opspec_found_scalars(say, name, *arg->scalars); break;
    case OPSPEC_KIND_INTS: opspec_found_ints(say, name, *arg->ints); break;
    case OPSPEC_KIND_BOOLS: opspec_found_bools(say, name, *arg->ints); break;
    case OPSPEC_KIND_NUMBERS: opspec_found_numbers(say, name, *arg->numbers); break;
    case OPSPEC_KIND_STRING: opspec_found_str(say, name, opspec_string(arg->string)); break;
    case OPSPEC_KIND_SCALAR:
    case OPSPEC_KIND_POINTER: opspec_found_bool(say, name, OPSPEC_TRUE); break;
    case OPSPEC_KIND_INTEGER: opspec_found_int(say, name, arg->integer); break;
    case OPSPEC_KIND_NATURAL: opspec_found_int(say, name, (opspec_int)arg->natural); break;
    case OPSPEC_KIND_BOOL: opspec_found_bool(say, name, arg->integer != 0); break;
    case OPSPEC_KIND_DTYPE: opspec_found_dtype(say, name, arg->integer); break;
    case OPSPEC_KIND_REAL: opspec_found_number(say, name, opspec_real(arg->real)); break;
    }
}

/* The length of a list or array, or -cause. */
static int64_t count_of(opspec_kind kind, const opspec_arg *arg)
{
    switch (kind) {
    case OPSPEC_KIND_TENSORS: return opspec_tensors_of(arg->tensors).count;
    case OPSPEC_KIND_SCALARS: return opspec_scalars_of(arg->scalars).count;
    case OPSPEC_KIND_INTS:
    case OPSPEC_KIND_BOOLS: return opspec_ints_of(arg->ints).count;
    case OPSPEC_KIND_NUMBERS: return opspec_numbers_of(arg->numbers).count;
    default: return -OPSPEC_NEITHER;
    }
}

static void found_product(opspec_saying *say)
{
    const char *name = opspec_product_name(say->call->member ? say->call->member : say->call->product);
    if (name != NULL && named(say, "product", 0))
        opspec_put(&say->out, name);
}

/* The param that a name starts with; its end is behind the name. Expressions write some names with an underscore. */
static int param_of(const opspec_operator *op, const char *name, size_t *size)
{
    *size = strcspn(name, ".)");
    for (int i = 0; i < op->param_count; i++) {
        const size_t own = strlen(op->params[i].name);
        const bool spelled = own == *size || (own + 1 == *size && name[own] == '_');
        if (spelled && strncmp(op->params[i].name, name, own) == 0)
            return i;
    }
    return -1;
}

void opspec_found(opspec_saying *say, const char *name)
{
    static const char length[] = "len(";
    const bool of_length = strncmp(name, length, sizeof length - 1) == 0;
    const char *start = of_length ? name + sizeof length - 1 : name;
    size_t size;
    const int param = param_of(say->op, start, &size);
    if (param < 0) {
        found_product(say);
        return;
    }
    const opspec_kind kind = say->op->params[param].kind;
    const opspec_arg *arg = &say->call->args[param];
    if (of_length && kind == OPSPEC_KIND_STRING)
        opspec_found_int(say, name, opspec_str_len(opspec_string(arg->string)));
    else if (of_length)
        opspec_found_int(say, name, opspec_length(count_of(kind, arg)));
    else if (kind == OPSPEC_KIND_TENSOR && start[size] == '.')
        found_attribute(say, name, arg->tensor, start + size + 1);
    else if (kind == OPSPEC_KIND_SCALAR && (start[size] == '.' || arg->scalar != NULL))
        found_scalar(say, name, arg->scalar, start[size] == '.' ? start + size + 1 : "");
    else if (kind <= OPSPEC_KIND_POINTER && arg->pointer == NULL) {
        if (named(say, name, 0))
            opspec_put(&say->out, "null");
    } else
        found_argument(say, name, kind, arg);
}

/* --- messages ------------------------------------------------------------------------------------------------------ */

void opspec_say_at(opspec_saying *say, int depth, opspec_int place, const char *list)
{
    say->list = list;
    say->places[OPSPEC_DEEPEST] = place;
    if (depth <= OPSPEC_DEEPEST)
        say->places[depth - 1] = place;
}

void opspec_say_words(opspec_saying *say, uint32_t words)
{
    const char *text = say->op->words + words;
    if (say->list != NULL) {
        put_words(say, say->list);
        opspec_put(&say->out, "[");
        opspec_put_int(&say->out, say->places[OPSPEC_DEEPEST]);
        opspec_put(&say->out, "]: ");
    }
    put_words(say, text);
    say->because = text + strlen(text) + 1;
    for (const char *name = say->because + strlen(say->because) + 1; *name != '\0'; name += strlen(name) + 1)
        opspec_found(say, name);
}

void opspec_say_must(opspec_saying *say, uint64_t misfits, uint32_t names, const uint32_t *cells)
{
    const char *name = say->op->words + names;
    for (bool first = true; misfits != 0; misfits >>= 1, cells++, name += strlen(name) + 1) {
        if ((misfits & 1) == 0)
            continue;
        opspec_put(&say->out, first ? "" : misfits == 1 ? " and " : ", ");
        put_words(say, name);
        opspec_put(&say->out, " must be ");
        opspec_put(&say->out, say->op->words + *cells);
        first = false;
    }
}

/* The document names other products than the call's. */
static void put_products(opspec_out *out, const opspec_operator *op, const opspec_call *call)
{
    const char *name = opspec_product_name(call->member ? call->member : call->product);
    int count = 0;
    opspec_put(out, "the document does not say whether ");
    opspec_put(out, name == NULL ? "the product" : name);
    opspec_put(out, " is supported; it names ");
    for (int32_t product = 1; product < OPSPEC_PRODUCTS_END; product++) {
        if (op->support[product] == OPSPEC_SUPPORT_YES) {
            opspec_put(out, count++ > 0 ? ", " : "");
            opspec_put(out, opspec_product_name(product));
        }
    }
}

size_t opspec_say_rule(const opspec_operator *op, const opspec_call *call, int rule, char *text, size_t size)
{
    opspec_saying say = {.out = {text, size, 0}, .op = op, .call = call};
    if (rule == OPSPEC_PRODUCT_UNKNOWN) {
        put_products(&say.out, op, call);
    } else if (rule >= 0 && rule < op->rule_count) {
        if (op->explain != NULL)
            op->explain(call, rule, &say);
        if (say.because == NULL)
            opspec_say_words(&say, op->rules[rule].words);
        if (*say.because != '\0') {
            opspec_put(&say.out, " (");
            put_words(&say, say.because);
            opspec_put(&say.out, ")");
        }
    }
    return opspec_put_end(&say.out);
}
