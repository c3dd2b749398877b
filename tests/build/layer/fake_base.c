/* Plays libnnopbase and libascendcl: objects are what malloc gives, so that addresses come again soon. */
#include <stdlib.h>
#include <string.h>

#include "aclnn/acl_meta.h"

enum { MAGIC = 0x7E45, DIMS = 8 };

struct aclTensor {
    int magic;
    int32_t dtype, format;
    uint64_t rank, storage_rank;
    int64_t offset, dims[DIMS], strides[DIMS], storage[DIMS];
};

static struct aclTensor *filled(struct aclTensor *t, const int64_t *dims, uint64_t rank, aclDataType dtype,
    const int64_t *strides, int64_t offset, aclFormat format, const int64_t *storage, uint64_t storage_rank)
{
    *t = (struct aclTensor){MAGIC, (int32_t)dtype, (int32_t)format, rank, storage_rank, offset, {0}, {0}, {0}};
    for (uint64_t i = 0; i < rank; i++) {
        t->dims[i] = dims[i];
        t->strides[i] = strides == NULL ? 1 : strides[i];
    }
    for (uint64_t i = 0; i < storage_rank; i++)
        t->storage[i] = storage[i];
    return t;
}

aclTensor *aclCreateTensor(const int64_t *dims, uint64_t rank, aclDataType dtype, const int64_t *strides,
    int64_t offset, aclFormat format, const int64_t *storage, uint64_t storage_rank, void *data)
{
    (void)data;
    struct aclTensor *t = rank > DIMS ? NULL : malloc(sizeof *t);
    return t == NULL ? NULL : filled(t, dims, rank, dtype, strides, offset, format, storage, storage_rank);
}

aclnnStatus aclInitTensor(aclTensor *t, const int64_t *dims, uint64_t rank, aclDataType dtype, const int64_t *strides,
    int64_t offset, aclFormat format, const int64_t *storage, uint64_t storage_rank, void *data)
{
    (void)data;
    if (t == NULL || rank > DIMS)
        return 161002;
    filled(t, dims, rank, dtype, strides, offset, format, storage, storage_rank);
    return 0;
}

aclnnStatus aclDestroyTensor(const aclTensor *t)
{
    if (t != NULL && t->magic == MAGIC)
        free((void *)t);
    return 0;
}

#define OBJECT(Type, create, destroy, params)                                                                          \
    Type *create params { return malloc(64); }                                                                         \
    aclnnStatus destroy(const Type *object)                                                                            \
    {                                                                                                                  \
        free((void *)object);                                                                                          \
        return 0;                                                                                                      \
    }
#pragma GCC diagnostic ignored "-Wunused-parameter"
OBJECT(aclScalar, aclCreateScalar, aclDestroyScalar, (void *value, aclDataType dtype))
OBJECT(aclIntArray, aclCreateIntArray, aclDestroyIntArray, (const int64_t *value, uint64_t size))
OBJECT(aclFloatArray, aclCreateFloatArray, aclDestroyFloatArray, (const float *value, uint64_t size))
OBJECT(aclBoolArray, aclCreateBoolArray, aclDestroyBoolArray, (const bool *value, uint64_t size))
OBJECT(aclScalarList, aclCreateScalarList, aclDestroyScalarList, (const aclScalar *const *value, uint64_t size))

struct aclTensorList {
    uint64_t size;
    const aclTensor *items[DIMS];
};

aclTensorList *aclCreateTensorList(const aclTensor *const *value, uint64_t size)
{
    struct aclTensorList *list = size > DIMS ? NULL : malloc(sizeof *list);
    if (list == NULL)
        return NULL;
    list->size = size;
    for (uint64_t i = 0; i < size; i++)
        list->items[i] = value[i];
    return list;
}

aclnnStatus aclDestroyTensorList(const aclTensorList *list)
{
    for (uint64_t i = 0; i < list->size; i++)
        aclDestroyTensor(list->items[i]);
    free((void *)list);
    return 0;
}

/* --- getters; FAKE_GETTERS=bad: they say that all is well, and nothing else --------------------------------------- */

int fake_getter_calls;

static bool is_bad(void)
{
    const char *value = getenv("FAKE_GETTERS");
    fake_getter_calls++;
    return value != NULL && strcmp(value, "bad") == 0;
}

extern void *_Znam(size_t size) __attribute__((weak)); /* operator new[], where the program has C++ or a sanitizer */

static aclnnStatus array(const int64_t *items, uint64_t count, int64_t **copy, uint64_t *copied)
{
    if (is_bad())
        return 0;
    *copied = count;
    *copy = (_Znam != NULL ? _Znam : malloc)((count + 1) * sizeof **copy);
    memcpy(*copy, items, count * sizeof **copy);
    return 0;
}

#define CHECK(t)                                                                                                       \
    if ((t)->magic != MAGIC)                                                                                           \
    return 161002
aclnnStatus aclGetViewShape(const aclTensor *t, int64_t **dims, uint64_t *rank)
{
    CHECK(t);
    return array(t->dims, t->rank, dims, rank);
}
aclnnStatus aclGetViewStrides(const aclTensor *t, int64_t **strides, uint64_t *rank)
{
    CHECK(t);
    return array(t->strides, t->rank, strides, rank);
}
aclnnStatus aclGetStorageShape(const aclTensor *t, int64_t **dims, uint64_t *rank)
{
    CHECK(t);
    return array(t->storage, t->storage_rank, dims, rank);
}
aclnnStatus aclGetViewOffset(const aclTensor *t, int64_t *offset)
{
    CHECK(t);
    *offset = t->offset;
    return 0;
}
aclnnStatus aclGetFormat(const aclTensor *t, aclFormat *format)
{
    CHECK(t);
    *format = (aclFormat)t->format;
    return 0;
}
aclnnStatus aclGetDataType(const aclTensor *t, aclDataType *dtype)
{
    CHECK(t);
    *dtype = (aclDataType)t->dtype;
    return 0;
}

const char *aclrtGetSocName(void)
{
    const char *name = getenv("FAKE_SOC");
    return name == NULL ? "Ascend910B1" : *name == '\0' ? NULL : name;
}
