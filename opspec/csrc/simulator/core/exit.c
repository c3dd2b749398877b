/* What a program left behind, told when it ends: behind its own destructors, so that what they release is no leak. */
#include "core/contexts.h"
#include "core/errors.h"
#include "core/memory.h"
#include "events.h"

static void report_object(void *record, void *context)
{
    const sim_object *object = record;
    static const char *const kinds[SIM_OBJECT_KINDS] = {
        "context.leak", "stream.leak", "event.leak", "buffer.leak", "hccl.leak"};
    (void)context;
    if (!object->implicit)
        opspec_tell(OPSPEC_WARNING, SIM_SOURCE, kinds[object->kind], "at exit: a %s that %s made was not destroyed",
            sim_object_kind_name(object->kind), object->function);
}

static void report_objects(void)
{
    sim_lock();
    for (int kind = 0; kind < SIM_OBJECT_KINDS; kind++)
        sim_objects_each((sim_object_kind)kind, report_object, NULL);
    sim_devices_report();
    sim_process_report();
    sim_unlock();
}

__attribute__((destructor(201))) static void report(void)
{
    if (sim_process_is_used()) {
        sim_memory_report_leaks();
        report_objects();
    }
    if (sim_faults_wanted())
        opspec_tell(OPSPEC_INFO, SIM_SOURCE, "fault.count", "at exit: %llu calls could have failed", sim_fault_count());
}
