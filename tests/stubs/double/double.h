/* What the double of an operator asks of the double of ACL (acl_double.c). */
#ifndef DOUBLE_H
#define DOUBLE_H

#include <stdint.h>

/* Counts a call; returns 0, or the code with which this call is to fail. */
int doubleStep(const char *function);

/* Starts a list of arguments: what follows belongs to it. */
void doubleArguments(const char *function);

/* An argument that is an object or null; an output is written by the execution. */
void doubleObject(const char *name, const void *handle, int isOutput);
void doubleInteger(const char *name, int64_t value);
void doubleReal(const char *name, double value);
void doubleText(const char *name, const char *value);
void doublePointer(const char *name, const void *value);

/* The two phases, once the arguments are known. */
int doublePlan(const char *function, uint64_t *workspaceSize, void **executor);
int doubleExecute(const char *function, void *workspace, uint64_t workspaceSize, void *executor, void *stream);

#endif
