/* Which SoC there is, and how many of them. */
#define _POSIX_C_SOURCE 200809L
#include "core/machine.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/settings.h"
#include "opspec_say.h"
#include "sim_target.h"

/* SoCs whose names tell the member of their family. */
static const struct {
    const char *prefix;
    int32_t member;
} members[] = {{"Ascend950PR", OPSPEC_PRODUCT_950PR}, {"Ascend950DT", OPSPEC_PRODUCT_950DT}};

static struct {
    pthread_once_t once;
    const char *soc;
    int32_t product, member, devices;
    bool known;
} machine = {.once = PTHREAD_ONCE_INIT};

static void read_machine(void)
{
    const char *soc = getenv("OPSPEC_SOC_NAME");
    const bool own = soc != NULL && *soc != '\0';
    const int32_t product = own ? opspec_product_of_soc(soc) : 0;
    machine.soc = own ? strdup(soc) : NULL;
    machine.known = !own || product != 0;
    machine.product = product != 0 ? product : sim_target_product;
    machine.member = product != 0 ? 0 : sim_target_member;
    for (size_t i = 0; product != 0 && i < sizeof members / sizeof members[0]; i++)
        if (strncmp(soc, members[i].prefix, strlen(members[i].prefix)) == 0)
            machine.member = members[i].member;
    machine.devices = (int32_t)sim_setting("OPSPEC_DEVICES", 8, 1, SIM_DEVICES_MAX);
}

static void need_machine(void) { (void)pthread_once(&machine.once, read_machine); }

int32_t sim_product(void)
{
    need_machine();
    return machine.product;
}

int32_t sim_member(void)
{
    need_machine();
    return machine.member;
}

const char *sim_soc_name(void)
{
    need_machine();
    return machine.soc != NULL ? machine.soc : sim_target_soc;
}

bool sim_soc_is_known(void)
{
    need_machine();
    return machine.known;
}

int32_t sim_device_count(void)
{
    need_machine();
    return machine.devices;
}

uint64_t sim_nanoseconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
