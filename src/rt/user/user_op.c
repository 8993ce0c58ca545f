/*
 * Operations of plugins: the one wrapper behind heddle_op_perform().
 *
 * The model of the plugin is applied first, to a copy; then the entry is written with the outcome, and the new state is
 * that of the object.  One that left the state as it was is logged as a read, whatever its mode.
 */
#include "rt/fault.h"
#include "rt/memory/shadow.h"
#include "rt/sched/arrival.h"
#include "rt/trace/log.h"
#include "rt/sched/operation.h"
#include "rt/user/plugin.h"
#include "rt/loops/spin.h"
#include "rt/sync/object.h"
#include "rt/threads.h"

static uint64_t add_label(const struct op_label *l)
{
        uint64_t id = op_user_label(l);

        if (!id)
                rt_fault("the plugin's objects have too many different states (64 MiB)");
        return id;
}

static struct object *object_of(const struct heddle_kind *kind, void *addr)
{
        struct object *o = object_get(addr, OP_OBJ_USER + op_user_kind(kind));

        if (!o->state)
                o->state = op_user_first_state(kind, addr);
        if (!o->state)
                rt_fault("the plugin's objects have too many different states (64 MiB)");
        return o;
}

static uint32_t wire_mode(enum heddle_mode mode, bool changed)
{
        if (!changed)
                return WIRE_MODE_READ;
        return mode == HEDDLE_COMMUTE ? WIRE_MODE_COMMUTE : WIRE_MODE_WRITE;
}

static void pass_time(struct thread *t, struct object *o)
{
        if (o->vtime > t->clock.vtime)
                t->clock.vtime = o->vtime;
        o->vtime = t->clock.vtime;
}

/* Its turn has come: what it does to `o` and `o2` (NULL: none).  True: it waits in the queue now. */
static bool perform(struct thread *t, enum arrival how, const struct heddle_op *op, struct object *o, struct object *o2,
                    int64_t *result)
{
        uint64_t after = o->state, after2 = o2 ? o2->state : 0;
        struct op_label l = userop_pending(t);
        bool queued, changed, changed2;

        l.result = *result = op_user_do(&l, t->id, &after, o2 ? &after2 : NULL, &queued);
        if (queued && *result < 0)
                rt_fault("more than 24 threads wait for one object of a plugin with a wakeup policy");
        if (!after || (o2 && !after2))
                rt_fault("the plugin's objects have too many different states (64 MiB)");
        changed = after != o->state;
        changed2 = o2 && after2 != o2->state;
        if (changed && op->mode == HEDDLE_READ)
                userop_wrong("the plugin's operation '%s' changes the state, but its mode is HEDDLE_READ", op->name);
        op_log(t, how, wire_mode(op->mode, changed), add_label(&l));
        if (o2) {
                struct op_label l2 = l;
                l2.state = (uint32_t)o2->state;
                l2.kind = (uint16_t)(o2->kind - OP_OBJ_USER);
                l2.role = OP_ROLE_SECOND;
                op_also(t, how, t->pend.op, o2->addr, 8, wire_mode(op->mode2, changed2), add_label(&l2));
                o2->state = after2;
        }
        o->state = after;
        if (changed || changed2)
                spin_progress(t);
        else if (how != ARRIVE_PRIVATE)
                spin_read(t, o->addr, 8);
        if (!op_commuting(t->pend.op))
                pass_time(t, o);
        return queued;
}

RT_EXPORT int64_t heddle_rt_op(const struct heddle_op *op, void *object, void *object2, uint64_t arg, void *caller);
int64_t heddle_rt_op(const struct heddle_op *op, void *object, void *object2, uint64_t arg, void *caller)
{
        uint32_t number = op_user_number(op);
        struct thread *t = rt_cur;
        struct object *o, *o2;
        uintptr_t site = (uintptr_t)caller;
        enum arrival how;
        int64_t result;
        bool queued;

        if (!number)
                userop_wrong("'%s' is an operation of a plugin: name it with --ops PLUGIN.so", op->name);
        if (!object || (op->kind2 && !object2))
                userop_wrong("the plugin's operation '%s' is performed on no object (NULL)", op->name);
        o = object_of(op->kind, object);
        o2 = op->kind2 ? object_of(op->kind2, object2) : NULL;
        t->pend.arg = arg;
        t->pend.role = op->wakeup == HEDDLE_ARBITRARY ? OP_ROLE_DO : OP_ROLE_ENTER;
        t->turn.also_shared = o2 && rt.live && shadow_touch(t, o2->addr, 8);
        how = op_arrive(t, number, o->addr, 8, o, site);
        t->turn.also_shared = false;
        queued = perform(t, how, op, o, o2, &result);
        if (!queued)
                return result;
        t->pend.role = OP_ROLE_DO;
        how = op_arrive_counted(t, number, o->addr, 8, o, site);
        perform(t, how, op, o, NULL, &result);
        return result;
}
