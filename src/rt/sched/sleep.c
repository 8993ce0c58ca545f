/* See sleep.h (Godefroid's sleep sets).  An actor sleeps while nothing touched what its transition would touch. */
#include "rt/sched/sleep.h"

#include "rt/threads.h"
#include "rt/weak/mm.h"

void sleep_arm(void)
{
        ex.sleep_armed = true;
        for (uint32_t i = 0; i < rt.n_sleep; i++) {
                struct thread *t = &threads[rt.sleep[i].actor % WIRE_MAX_THREADS];
                t->sleep.asleep = 1;
                t->sleep.first = rt.sleep[i].first;
                t->sleep.rows = footprint_rows(&rt.footprint[t->sleep.first], rt.sleep[i].count);
        }
        ex.n_sleep = rt.n_sleep;
}

static bool row_conflicts(const struct wire_access *a, uint32_t row, uint32_t end, const struct wire_access *done)
{
        for (uint32_t i = footprint_find(a, row, end, done->obj); i < end && a[i].obj < done->obj + done->size; i++)
                if (mm_wakes(&a[i], done))
                        return true;
        return false;
}

static bool footprint_conflicts(const struct thread *t, const struct wire_access *done)
{
        const struct wire_access *a = &rt.footprint[t->sleep.first];

        for (uint32_t i = 0; i < t->sleep.rows.writes; i++)
                if (mm_wakes(&a[i], done))
                        return true;
        return row_conflicts(a, t->sleep.rows.writes, t->sleep.rows.reads, done) ||
               row_conflicts(a, t->sleep.rows.reads, t->sleep.rows.end, done);
}

void sched_sleep_wake(const struct wire_event *e)
{
        const struct wire_access done = op_access(e);

        for (uint32_t i = 0; i < rt.n_sleep; i++) {
                struct thread *t = &threads[rt.sleep[i].actor % WIRE_MAX_THREADS];
                if (t->sleep.asleep && footprint_conflicts(t, &done)) {
                        t->sleep.asleep = 0;
                        ex.n_sleep--;
                }
        }
}
