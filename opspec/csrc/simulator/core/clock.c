#include "core/clock.h"

#include <stdlib.h>

enum { MARKS_MAX = 4096 }; /* when there are more, the oldest is forgotten */

static sim_mark *of_stream(const sim_clock *clock, uint64_t stream)
{
    for (size_t i = 0; i < clock->count; i++)
        if (clock->list[i].stream == stream)
            return &clock->list[i];
    return NULL;
}

static bool grow(sim_clock *clock)
{
    const size_t room = clock->room == 0 ? 8 : clock->room * 2;
    sim_mark *more = room > MARKS_MAX ? NULL : realloc(clock->list, room * sizeof *more);
    if (more == NULL)
        return false;
    clock->list = more;
    clock->room = room;
    return true;
}

void sim_clock_reach(sim_clock *clock, sim_mark mark)
{
    sim_mark *known = of_stream(clock, mark.stream);
    if (known != NULL)
        known->order = mark.order > known->order ? mark.order : known->order;
    else if (clock->count < clock->room || grow(clock))
        clock->list[clock->count++] = mark;
    else if (clock->count > 0)
        clock->list[0] = mark;
}

void sim_clock_join(sim_clock *clock, const sim_clock *other)
{
    for (size_t i = 0; i < other->count; i++)
        sim_clock_reach(clock, other->list[i]);
}

bool sim_clock_covers(const sim_clock *clock, sim_mark mark)
{
    const sim_mark *known = of_stream(clock, mark.stream);
    return known != NULL && known->order >= mark.order;
}

void sim_clock_clear(sim_clock *clock)
{
    free(clock->list);
    *clock = (sim_clock){NULL, 0, 0};
}
