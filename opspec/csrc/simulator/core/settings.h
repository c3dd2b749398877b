/* Numbers from the environment. */
#ifndef OPSPEC_SIM_SETTINGS_H
#define OPSPEC_SIM_SETTINGS_H

/* The number that a variable holds, or another one: when it is not set, empty, no number, or out of bounds (which is
 * told). */
long long sim_setting(const char *variable, long long otherwise, long long low, long long high);

#endif
