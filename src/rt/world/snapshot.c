/*
 * The snapshot: all memory that an execution may change, and how it is put back.
 *
 * It covers every private writable mapping of the process, the data of every shared object, ld.so's and libc's
 * included, the used part of the main stack, the TLS of the main thread (which is in one of those mappings), the
 * used part of the heap with its metadata, and the runtime's own account of threads and objects.  It leaves out the
 * runtime's data, what the runtime mapped (RT_REGION), and the stacks of other threads: they begin empty.
 *
 * Memory below a thread's stack pointer, and stacks of new threads, hold what earlier executions left there: a program
 * that reads uninitialised locals is nondeterministic, here as elsewhere.
 */
#include "rt/world/snapshot.h"

#include "rt/calls/effect.h"
#include "rt/calls/random.h"
#include "rt/map.h"
#include "rt/memory/heap.h"
#include "rt/memory/shadow.h"
#include "rt/trace/callstack_state.h"
#include "rt/loops/spin.h"
#include "rt/thread/keys.h"
#include "rt/sync/named_sem.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/world/kernel.h"
#include "rt/world/regions.h"

static struct execution saved_ex;
static struct thread saved_main;
static struct object *saved_objects;
static struct wire_call *saved_calls;
static void *saved_named;

void snapshot_take(void *main_sp)
{
        void *named;
        size_t size;

        regions_read(main_sp);
        regions_add(NULL, heap_state, heap_state_size());
        regions_add(NULL, random_state, random_state_size());
        heap_each_used(regions_add, NULL);
        regions_save();
        effect_save();
        tls_save();
        saved_ex = ex;
        saved_main = threads[0];
        saved_objects = rt_map((ex.n_objects + 1) * sizeof *saved_objects);
        rt_copy(saved_objects, objects, ex.n_objects * sizeof *objects);
        named = named_state(&size);
        saved_named = rt_map(size + 1);
        rt_copy(saved_named, named, size);
        saved_calls = rt_map((threads[0].stack.n_calls + 1) * sizeof *saved_calls);
        rt_copy(saved_calls, threads[0].stack.calls,
                (threads[0].stack.n_calls < RT_MAX_CALLS ? threads[0].stack.n_calls : RT_MAX_CALLS) *
                        sizeof *saved_calls);
}

/* The shadow words of objects, as they were. */
static void restore_objects(void)
{
        for (uint32_t i = saved_ex.n_objects; i < ex.n_objects; i++) {
                uint64_t *s = shadow_at((uintptr_t)objects[i].addr);
                *s = RT_MARK(*s);
        }
        rt_copy(objects, saved_objects, saved_ex.n_objects * sizeof *objects);
        for (uint32_t i = 0; i < saved_ex.n_objects; i++) {
                uint64_t *s = shadow_at((uintptr_t)objects[i].addr);
                *s = RT_MARK(*s) | (uint64_t)(i + 1) << RT_MARK_BITS;
        }
}

void snapshot_restore(void)
{
        void *named;
        size_t size;

        spin_reset();
        kernel_restore(); /* first: mappings must be there */
        effect_restore();
        tls_restore();
        regions_restore();
        restore_objects();
        for (uint32_t i = 1; i < ex.n_threads; i++)
                threads[i].state = WIRE_T_UNUSED;
        ex = saved_ex;
        named = named_state(&size);
        rt_copy(named, saved_named, size);
        threads[0] = saved_main;
        rt_copy(threads[0].stack.calls, saved_calls,
                (threads[0].stack.n_calls < RT_MAX_CALLS ? threads[0].stack.n_calls : RT_MAX_CALLS) *
                        sizeof *saved_calls);
}
