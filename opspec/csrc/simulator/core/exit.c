/* What a program left behind, told when it ends: behind its own destructors, so that what they release is no leak. */
#include "core/contexts.h"
#include "core/errors.h"
#include "core/memory.h"
#include "events.h"

static void report_object(void *record, void *context)
{
    const sim_object *object = record;
    static const opspec_finding kinds[SIM_OBJECT_KINDS] = {
        FOUND_CONTEXT_LEAK, FOUND_STREAM_LEAK, FOUND_EVENT_LEAK, FOUND_BUFFER_LEAK, FOUND_HCCL_LEAK};
    (void)context;
    if (!object->implicit)
        opspec_tell(OPSPEC_SIMULATOR, kinds[object->kind], "at exit: a %s that %s made was not destroyed",
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
        opspec_tell(OPSPEC_SIMULATOR, FOUND_FAULT_COUNT, "at exit: %llu calls could have failed", sim_fault_count());
}
