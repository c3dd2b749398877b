/* A function of the played libraries that no spec has: arguments of all kinds, in registers and on the stack. */
#ifndef FAKE_OPS_H
#define FAKE_OPS_H

#include <stdint.h>

typedef struct {
    double sum;
    int64_t a, b;
} fake_result;
fake_result aclnnFakeMany(int64_t a, double b, int8_t c, float d, int64_t e, int64_t f, int64_t g, double h, double i,
    double j, double k, double l, double m, double n, int64_t o, int64_t p, double q);

#endif
