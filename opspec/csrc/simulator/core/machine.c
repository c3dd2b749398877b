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
    const int32_t found = own ? opspec_product_of_soc(soc) : 0, product = opspec_product_id(found);
    machine.soc = own ? strdup(soc) : NULL;
    machine.known = !own || found != 0;
    machine.product = found != 0 ? product : sim_target_product;
    machine.member = found == 0 ? sim_target_member : found != product ? found : 0;
    machine.devices = (int32_t)sim_setting(
        "OPSPEC_DEVICES", opspec_product_devices[machine.product], 1, SIM_DEVICES_MAX);
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
