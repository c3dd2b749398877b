/* What is left out: the patterns of OPSPEC_MUTE, described in events.h. */
#ifndef OPSPEC_MUTE_H
#define OPSPEC_MUTE_H

#include <stdbool.h>

#include "opspec_findings.h"

/* Read the patterns, between commas and spaces; NULL: there are none. Called once, before all others. */
void opspec_mute(const char *patterns);

/* Whether a rule of an operator, or with NULL another kind of finding, is to be left out. */
bool opspec_is_muted(const char *operator, const char *rule);

/* The first pattern, or the next one behind one of them, that seems to be a kind of finding and is none; else NULL. */
const char *opspec_mute_doubt(const char *behind);

/* The kind that is spelt most like a word. */
opspec_finding opspec_finding_near(const char *word);

#endif
