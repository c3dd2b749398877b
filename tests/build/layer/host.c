/* A program in front of which the layer stands: calls what its arguments name, and prints statuses. See test_layer.py.
 *
 * With LINKED it is linked against the real libraries; without, it finds each function as torch_npu does (search.h).
 * With FAKE the real libraries are those of fake_ops.c. UNARY is a first phase of two tensors.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search.h"

#ifdef LINKED
#define FIND(name) name
#else
#define FIND(name) FOUND(name)
#define FOUND(name) ((__typeof__(&name))search(#name))
#endif
#ifndef UNARY
#define UNARY aclnnAbsGetWorkspaceSize
#endif

aclnnStatus aclnnAddGetWorkspaceSize(const aclTensor *self, const aclTensor *other, const aclScalar *alpha,
    aclTensor *out, uint64_t *size, aclOpExecutor **executor);
const char *aclGetRecentErrMsg(void);
aclnnStatus aclnnAdd(void *workspace, uint64_t size, aclOpExecutor *executor, void *stream);
aclnnStatus UNARY(const aclTensor *self, aclTensor *out, uint64_t *size, aclOpExecutor **executor);
aclnnStatus aclnnCatGetWorkspaceSize(const aclTensorList *tensors, int64_t dim, aclTensor *out, uint64_t *size,
    aclOpExecutor **executor);

#ifdef FAKE
#include "fake_ops.h"
#endif

/* --- allocations, counted where a call asks for that -------------------------------------------------------------- */

static _Thread_local bool counting;
static _Thread_local int allocations;

#ifndef NO_COUNT
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
void *malloc(size_t size)
{
    allocations += counting;
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size)
{
    allocations += counting;
    return __libc_calloc(count, size);
}
void *realloc(void *old, size_t size)
{
    allocations += counting;
    return __libc_realloc(old, size);
}
#endif

/* --- a call of aclnnAdd ------------------------------------------------------------------------------------------- */

typedef struct {
    aclTensor *self, *other, *out;
    aclScalar *alpha;
} arguments;

static aclTensor *tensor_in(aclFormat format, int64_t rows, aclDataType dtype)
{
    const int64_t dims[] = {rows, 4}, strides[] = {4, 1};
    return FIND(aclCreateTensor)(dims, 2, dtype, strides, 0, format, dims, 2, NULL);
}

static aclTensor *tensor(int64_t rows, aclDataType dtype) { return tensor_in(ACL_FORMAT_ND, rows, dtype); }

static arguments made(int64_t rows)
{
    float one = 1;
    return (arguments){tensor(2, ACL_FLOAT), tensor(rows, ACL_FLOAT), tensor(2, ACL_FLOAT),
        FIND(aclCreateScalar)(&one, ACL_FLOAT)};
}

static void destroy(const arguments *a)
{
    FIND(aclDestroyTensor)(a->self);
    FIND(aclDestroyTensor)(a->other);
    FIND(aclDestroyTensor)(a->out);
    FIND(aclDestroyScalar)(a->alpha);
}

static aclnnStatus add(const void *self, const void *other, const arguments *a)
{
    uint64_t size = 0;
    aclOpExecutor *executor = NULL;
    const aclnnStatus status = FIND(aclnnAddGetWorkspaceSize)(self, other, a->alpha, a->out, &size, &executor);
    if (status != 0)
        return status;
#ifdef FAKE
    if (size != 42)
        printf("the library was not called\n");
#endif
    return FIND(aclnnAdd)(NULL, size, executor, NULL);
}

static void allocate_nothing(const arguments *a)
{
    uint64_t size;
    aclOpExecutor *executor;
    __typeof__(&aclnnAddGetWorkspaceSize) function = FIND(aclnnAddGetWorkspaceSize);
    (void)function(a->self, a->other, a->alpha, a->out, &size, &executor);
    counting = true;
    for (int i = 0; i < 100; i++)
        (void)function(a->self, a->other, a->alpha, a->out, &size, &executor);
    counting = false;
    printf("allocations %d\n", allocations);
}

/* --- threads ------------------------------------------------------------------------------------------------------ */

static void *work(void *number)
{
    uint64_t size;
    aclOpExecutor *executor;
    for (int i = 0; i < 300; i++) {
        const arguments a = made(i % 50 == 0 ? 3 : 2);
        const aclnnStatus status =
            FIND(aclnnAddGetWorkspaceSize)(a.self, a.other, a.alpha, a.out, &size, &executor);
        if (status != 0)
            printf("status %d\n", status);
        destroy(&a);
    }
    return number;
}

static void threads(void)
{
    pthread_t all[6];
    for (int i = 0; i < 6; i++)
        pthread_create(&all[i], NULL, work, NULL);
    for (int i = 0; i < 6; i++)
        pthread_join(all[i], NULL);
}

/* --- lists -------------------------------------------------------------------------------------------------------- */

static void lists(void)
{
    uint64_t size;
    aclOpExecutor *executor;
    const aclTensor *members[] = {tensor(2, ACL_FLOAT), tensor(2, ACL_FLOAT)};
    aclTensor *out = tensor(4, ACL_FLOAT), *wrong = tensor(5, ACL_FLOAT);
    aclTensorList *list = FIND(aclCreateTensorList)(members, 2);
    printf("cat %d\n", FIND(aclnnCatGetWorkspaceSize)(list, 0, out, &size, &executor));
    printf("cat %d\n", FIND(aclnnCatGetWorkspaceSize)(list, 0, wrong, &size, &executor));
    FIND(aclDestroyTensorList)(list);
    printf("member %d\n", FIND(UNARY)(members[0], out, &size, &executor));
    FIND(aclDestroyTensor)(out);
    FIND(aclDestroyTensor)(wrong);
}

/* Tensors that the layer did not see created. */
static void unseen(int64_t rows)
{
    __typeof__(&aclCreateTensor) create = (__typeof__(&aclCreateTensor))direct("libnnopbase.so", "aclCreateTensor");
    const arguments a = made(2);
    const int64_t dims[] = {rows, 4}, strides[] = {4, 1};
    aclTensor *other = create(dims, 2, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, dims, 2, NULL);
    printf("unseen %d\n", add(a.self, other, &a));
    FIND(aclDestroyTensor)(other);
    destroy(&a);
}

#ifdef FAKE
static void many(void)
{
    const fake_result r = FIND(aclnnFakeMany)(1, 0.5, 2, 0.25f, 3, 4, 5, 1, 2, 3, 4, 5, 6, 7, 6, 7, 8);
    const fake_result again = FIND(aclnnFakeMany)(1, 0.5, 2, 0.25f, 3, 4, 5, 1, 2, 3, 4, 5, 6, 7, 6, 7, 8);
    printf("many %g %d %d %d\n", r.sum, (int)r.a, (int)r.b, r.sum == again.sum && r.a == again.a);
}
#endif

/* --- words -------------------------------------------------------------------------------------------------------- */

static void kinds(const arguments *a) { printf("kinds %d\n", add(a->alpha, a->other, a)); }

static void again(void)
{
    const arguments a = made(2);
    const int64_t dims[] = {3};
    FIND(aclInitTensor)(a.other, dims, 1, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, dims, 1, NULL);
    printf("again %d\n", add(a.self, a.other, &a));
    destroy(&a);
}

static void garbage(const arguments *a)
{
    static const char text[] __attribute__((aligned(8))) = "no tensor is here, only text that can be read by anyone";
    printf("garbage %d\n", add(a->self, (const void *)(uintptr_t)0x10, a));
    printf("garbage %d\n", add(a->self, (const void *)(uintptr_t)0xDEADBEEFDEADBEE8, a));
    printf("garbage %d\n", add(a->self, text + 1, a));
    printf("garbage %d\n", add(a->self, text, a));
}

static void destroyed(void)
{
    const arguments a = made(2);
    FIND(aclDestroyTensor)(a.other);
    printf("destroyed %d\n", add(a.self, a.other, &a));
    const arguments b = {a.self, NULL, a.out, a.alpha};
    destroy(&b);
}

/* A format that the page excludes and no first phase looks at. */
static void other_format(const arguments *a)
{
    aclTensor *self = tensor_in(ACL_FORMAT_FRACTAL_NZ, 2, ACL_FLOAT);
    printf("format %d\n", add(self, a->other, a));
    FIND(aclDestroyTensor)(self);
}

static void run(const char *word)
{
    const arguments a = made(strcmp(word, "shapes") == 0 ? 3 : 2);
    uint64_t size;
    aclOpExecutor *executor;
    if (strcmp(word, "legal") == 0 || strcmp(word, "shapes") == 0)
        printf("%s %d\n", word, add(a.self, a.other, &a));
    else if (strcmp(word, "null") == 0)
        printf("null %d\n", add(NULL, a.other, &a));
    else if (strcmp(word, "format") == 0)
        other_format(&a);
    else if (strcmp(word, "nested") == 0)
        printf("nested %d\n", FIND(UNARY)(a.self, a.out, &size, &executor));
    else if (strcmp(word, "allocations") == 0)
        allocate_nothing(&a);
    else if (strcmp(word, "threads") == 0)
        threads();
    else if (strcmp(word, "lists") == 0)
        lists();
    else if (strcmp(word, "kinds") == 0)
        kinds(&a);
    else if (strcmp(word, "garbage") == 0)
        garbage(&a);
    else if (strcmp(word, "destroyed") == 0)
        destroyed();
    else if (strcmp(word, "again") == 0)
        again();
    else if (strncmp(word, "unseen:", 7) == 0)
        unseen(atoi(word + 7));
#ifdef LINKED
    else if (strcmp(word, "message") == 0) {
        const char *message = aclGetRecentErrMsg();
        printf("message %s\n", message == NULL ? "none" : message);
    }
#endif
#ifdef FAKE
    else if (strcmp(word, "many") == 0)
        many();
#endif
#ifndef LINKED
    else if (strncmp(word, "found:", 6) == 0)
        printf("%s %s\n", word + 6, search(word + 6) == NULL ? "not found" : "found");
    else if (strncmp(word, "calls:", 6) == 0)
        printf("%s %d\n", word + 6, ((int (*)(void))search(word + 6))());
#endif
    destroy(&a);
}

int main(int count, char **words)
{
    for (int i = 1; i < count; i++) {
        run(words[i]);
        fflush(stdout);
    }
    return 0;
}
