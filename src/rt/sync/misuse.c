/* Misuse of locks: see misuse.h. */
#include "rt/sync/misuse.h"

#include "rt/sched/failure.h"
#include "rt/sync/held_state.h"
#include "rt/threads.h"

static _Noreturn void fail(const struct thread *t, uint64_t addr, uint32_t kind, uint32_t other, uint32_t did,
                           uint64_t site, const char *text)
{
        uint32_t n = ex.n_failures;

        if (n < WIRE_MAX_FAILURES) {
                struct wire_failure *f = &rt.up->failures[n];
                f->other = site;
                f->other_actor = other;
                f->other_op = did;
        }
        rt_fail_object(WIRE_FAIL_MISUSE, t->pend.site, text, addr, kind);
}

_Noreturn void misuse(struct thread *t, const struct object *o, const char *text)
{
        fail(t, o->addr, o->kind, o->by ? o->by - 1u : (uint32_t)WIRE_NO_ACTOR, o->did, o->site, text);
}

_Noreturn void misuse_with(struct thread *t, const struct object *o, const struct thread *other, const char *text)
{
        fail(t, o->addr, o->kind, other->id, OP_COND_WAIT, other->wait.site, text);
}

_Noreturn void misuse_handle(struct thread *t, const struct thread *of, const char *text)
{
        fail(t, WIRE_OBJ_HANDLE(of->id), OP_OBJ_THREAD, of->handle.site ? of->handle.by : (uint32_t)WIRE_NO_ACTOR,
             of->handle.did, of->handle.site, text);
}

static bool reads(const struct thread *t, const struct object *o)
{
        for (uint32_t i = 0; i < t->held.n_reads && i < RT_MAX_READS; i++)
                if (t->held.reads[i] == o)
                        return true;
        return false;
}

bool misuse_hands_off(const struct object *o)
{
        bool normal = o->kind != OP_OBJ_MUTEX ||
                      (OP_MUTEX_TYPE(o->state) == OP_MUTEX_NORMAL && !(o->state & OP_MUTEX_ROBUST));

        return rt.down->hand_off && normal && op_owner(o->kind, o->state);
}

void misuse_thread_ends(struct thread *t)
{
        for (uint32_t i = 0; t->held.n_mutexes && !rt.down->hand_off && i < ex.n_objects; i++) {
                const struct object *o = &objects[i];
                if (op_owner(o->kind, o->state) == t->id + 1u || (o->kind == OP_OBJ_RWLOCK && reads(t, o)))
                        misuse(t, o, "still held by a thread that ends");
        }
}
