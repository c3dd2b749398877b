/* The example programs that the driver runs; the table is made by tests/codegen/stubs/all_run.py. */
#ifndef DRIVER_H
#define DRIVER_H

typedef struct {
    const char *op;
    const char *soc; /* one on which the example is legal */
    int (*run)(void);
} driver_case;

extern const driver_case driver_cases[];
extern const int driver_case_count;

#endif
