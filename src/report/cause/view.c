/* Questions about one execution.  Each walks the trace; the search asks a bounded number of them. */
#include "report/cause/view.h"

#include <stdlib.h>
#include <string.h>

#include "base/deadline.h"
#include "op/op.h"
#include "report/wording.h"
#include "trace/locks_held.h"

static bool is_memory(const struct wire_event *e)
{
        return op_object(e->op) == OP_OBJ_MEMORY && e->op != OP_OBSERVE && e->op != OP_FORWARD && e->op != OP_LOOK;
}

bool view_reads(const struct view *v, uint32_t i)
{
        const struct wire_event *e = &v->t->events[i];

        return is_memory(e) && !trace_is_buffer(v->t, e->actor) && !(v->f->irrelevant && v->f->irrelevant[i]) &&
               (op_has(e->op, OPF_LOADS) || e->mode == WIRE_MODE_READ || e->op == OP_RMW || e->op == OP_CAS);
}

bool view_stores(const struct view *v, uint32_t i)
{
        const struct wire_event *e = &v->t->events[i];

        return is_memory(e) && !trace_is_buffer(v->t, e->actor) &&
               (e->mode == WIRE_MODE_WRITE || (e->weak & WIRE_WEAK_BUFFERED));
}

bool view_changes(const struct view *v, uint32_t i)
{
        const struct wire_event *e = &v->t->events[i];

        return is_memory(e) && e->mode == WIRE_MODE_WRITE && !(e->weak & WIRE_WEAK_BUFFERED);
}

bool view_overlap(const struct view *v, uint32_t i, uint32_t k)
{
        const struct wire_event *a = &v->t->events[i], *b = &v->t->events[k];

        return a->obj < b->obj + b->size && b->obj < a->obj + a->size;
}

uint32_t view_decider(const struct view *v, uint32_t r)
{
        struct delay own = delays_of(v->d, r);

        if (own.pair != DELAYS_NONE && v->t->events[own.pair].actor == v->t->events[r].actor && own.pair < r)
                return own.pair;
        for (uint32_t i = r; i-- > 0;) {
                if (!view_changes(v, i) || !view_overlap(v, i, r))
                        continue;
                if (trace_is_buffer(v->t, v->t->events[i].actor))
                        return delays_of(v->d, i).pair;
                return i;
        }
        return VIEW_NONE;
}

uint32_t view_foreign(const struct view *v, uint32_t actor, uint32_t o, uint32_t from, uint32_t to)
{
        for (uint32_t i = to; i-- > from + 1;)
                if (v->t->events[i].actor != actor && view_stores(v, i) && view_overlap(v, i, o))
                        return i;
        return VIEW_NONE;
}

bool view_value(const struct view *v, uint32_t i, uint64_t *value)
{
        const struct wire_event *e = &v->t->events[i];

        if (e->size > 8 || e->op == OP_FREE || !v->t->n_frames || e->mode == WIRE_MODE_FORWARD ||
            (e->weak & WIRE_WEAK_UNSAID))
                return false;
        *value = phrase_masked(e->value, e->size);
        return true;
}

bool view_place_of(const struct view *v, const uint64_t *sites, uint32_t n, struct view_place *out)
{
        for (uint32_t i = 0; i < n; i++) {
                if (!phrase_user_frame(v->s, &sites[i], 1, &out->at))
                        continue;
                out->n_callers = n - i - 1;
                memcpy(out->callers, sites + i + 1, out->n_callers * sizeof *sites);
                return true;
        }
        return false;
}

bool view_place(const struct view *v, uint32_t i, struct view_place *out)
{
        uint64_t sites[WIRE_MAX_STACK];

        return view_place_of(v, sites, trace_stack(v->t, i, sites, WIRE_MAX_STACK), out);
}

bool view_caller(const struct view *v, const struct view_place *p, struct view_place *out)
{
        return view_place_of(v, p->callers, p->n_callers, out);
}

bool view_within(const struct view *v, uint32_t i, const struct view_place *p)
{
        uint64_t sites[WIRE_MAX_STACK];
        uint32_t n = trace_stack(v->t, i, sites, WIRE_MAX_STACK), k;
        const struct symbols_frame *frames;

        if (n <= p->n_callers)
                return false;
        k = n - p->n_callers - 1;
        if (memcmp(sites + k + 1, p->callers, p->n_callers * sizeof *sites) != 0)
                return false;
        n = symbols_frames(v->s, sites[k], &frames);
        for (uint32_t j = 0; j < n; j++)
                if (frames[j].line == p->at.line && frames[j].file && p->at.file &&
                    strcmp(frames[j].file, p->at.file) == 0)
                        return true;
        return false;
}

static bool know_places(struct view *v)
{
        return v->places.order || places_init(&v->places, v->t);
}

uint32_t view_latest(struct view *v, uint32_t actor, uint32_t before, const struct view_place *p)
{
        uint32_t latest = 0;

        if (!know_places(v))
                return VIEW_NONE;
        for (uint32_t k = 0; k < v->places.n && !late_soon(); k++) {
                uint32_t some = v->places.order[v->places.first[k]], at;
                if (v->t->events[some].actor != actor || (p && !view_within(v, some, p)))
                        continue;
                at = places_latest(&v->places, k, before);
                latest = at != PLACES_NONE && at >= latest ? at + 1 : latest;
        }
        return latest - 1;
}

uint32_t view_previous(struct view *v, uint32_t i)
{
        return know_places(v) ? v->places.previous[i] : VIEW_NONE;
}

bool view_is_first(struct view *v, uint32_t i)
{
        uint32_t number = know_places(v) ? v->places.number[i] : PLACES_NONE;

        return number != PLACES_NONE && v->places.order[v->places.first[number]] == i;
}

const char *view_line(struct view *v, const struct view_place *p, uint32_t line)
{
        return source_line(&v->sources, p->at.file, line);
}

static bool know_locks(struct view *v)
{
        for (uint32_t i = 0; !v->locks_known && i < v->t->n_events; i++) {
                switch (op_order(v->t->events[i].op)) {
                case OP_TAKES:
                case OP_TAKES_SHARED:
                case OP_GIVES:
                        if (!vec_reserve(&v->locks, 1))
                                return false;
                        *vec_push(&v->locks) = i;
                        break;
                default: break;
                }
        }
        v->locks_known = true;
        return true;
}

/* The locks held when entry i begins. */
static void locks_before(struct view *v, uint32_t i, struct held *h)
{
        if (!know_locks(v))
                return;
        for (uint32_t k = 0; k < v->locks.n && v->locks.at[k] < i; k++)
                if (!held_step(h, &v->t->events[v->locks.at[k]], v->locks.at[k]))
                        return;
}

uint32_t view_lock_at(struct view *v, uint32_t i, uint32_t skip)
{
        struct held h = {0};
        uint32_t found = VIEW_NONE;

        locks_before(v, i, &h);
        for (uint32_t k = 0; k < h.locks.n && found == VIEW_NONE; k++)
                if (h.locks.at[k].actor == v->t->events[i].actor && skip-- == 0)
                        found = h.locks.at[k].entry;
        held_fini(&h);
        return found;
}

bool view_holds(struct view *v, uint32_t actor, uint64_t obj, uint32_t i)
{
        struct held h = {0};
        bool found = false;

        locks_before(v, i, &h);
        for (uint32_t k = 0; k < h.locks.n && !found; k++)
                found = h.locks.at[k].actor == actor && h.locks.at[k].obj == obj;
        held_fini(&h);
        return found;
}

void view_fini(struct view *v)
{
        sources_fini(&v->sources);
        vec_fini(&v->locks);
        places_fini(&v->places);
}
