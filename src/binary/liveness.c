/*
 * See liveness.h.
 *
 * First, forwards: which registers hold the address of a place in the frame, as an offset from the stack pointer at entry.
 * That gives the place of each access to the frame, and the places whose address escapes: the variable there, or all where
 * it is not known, is live always.  A word of the frame that only ever holds one such address is followed, too.  Then, backwards: what is live before each instruction.
 *
 * In doubt everything is live: where the code cannot be decoded, jumps to what data says, moves the stack pointer by an unknown
 * amount, or returns twice.  Code that nothing jumps to (landing pads of exceptions) may follow every call.
 */
#include "binary/liveness.h"

#include <stdlib.h>
#include <string.h>

#include "base/deadline.h"
#include "binary/liveness_decode.h"

#define MAX_FRAME 4096 /* bytes */
#define WORDS     (MAX_FRAME / 64)
#define NOWHERE   INT32_MIN
#define UNUSED    INT32_MAX

struct state {
        bool reached;
        int32_t at[REGS]; /* offset from the stack pointer at entry, NOWHERE: unknown */
};

struct live {
        uint32_t regs;
        uint64_t bytes[WORDS]; /* bit k: offset k - MAX_FRAME */
};

struct walk {
        const struct liveness_code *f;
        uint32_t n_objects; /* of the function, whose place is known */
        struct insn *code;
        uint32_t n;
        struct state *states;
        struct live *live;
        bool addresses; /* of registers only what may be an address counts */
        uint32_t *pads; /* code that nothing jumps to */
        uint32_t n_pads;
        struct live of_pads;
        uint64_t escaped[WORDS], read[WORDS];
        int32_t slots[MAX_FRAME / 8]; /* addresses of the frame that a word of it holds, or UNUSED or NOWHERE */
        bool failed;
};

/* Bytes of the frame. */

static void mark(uint64_t *bytes, int32_t offset, uint32_t size, bool on)
{
        for (int32_t k = offset; k < offset + (int32_t)size; k++)
                if (k >= -MAX_FRAME && k < 0) {
                        uint32_t i = (uint32_t)(k + MAX_FRAME);
                        if (on)
                                bytes[i / 64] |= UINT64_C(1) << (i % 64);
                        else
                                bytes[i / 64] &= ~(UINT64_C(1) << (i % 64));
                }
}

static bool marked(const uint64_t *bytes, int32_t offset)
{
        uint32_t i = (uint32_t)(offset + MAX_FRAME);

        return offset >= -MAX_FRAME && offset < 0 && bytes[i / 64] >> (i % 64) & 1;
}

/* Forwards. */

static int32_t shifted(int32_t at, int32_t by)
{
        int64_t sum = (int64_t)at + by;

        return at == NOWHERE || sum < -(1 << 20) || sum > 1 << 20 ? NOWHERE : (int32_t)sum;
}

/* The address of a place escapes: the variables there may be accessed from anywhere.  If it is in none that is known, all
 * may. */
static void escape(struct walk *w, int32_t at)
{
        bool known = false;

        for (uint32_t i = 0; i < w->n_objects && at != NOWHERE; i++) {
                const struct liveness_object *o = &w->f->objects[i];

                if (at < o->lo || at > o->hi - !o->array) /* the end of an array is its own, too */
                        continue;
                mark(w->escaped, o->lo, (uint32_t)(o->hi - o->lo), true);
                known |= at < o->hi;
        }
        if (!known && at != NOWHERE && at < 0)
                mark(w->escaped, -MAX_FRAME, MAX_FRAME, true);
}

static void escape_all(struct walk *w)
{
        mark(w->escaped, -MAX_FRAME, MAX_FRAME, true);
}

/* The place of an access, NOWHERE: not in the frame, or unknown. */
static int32_t place_of(const struct access *x, const struct state *s)
{
        return x->base < 0 || x->indexed ? NOWHERE : shifted(s->at[x->base], x->offset);
}

/* The word of the frame at this place, NULL: it is none that is followed. */
static int32_t *slot_at(struct walk *w, int32_t at)
{
        return at != NOWHERE && at >= -MAX_FRAME && at < 0 && at % 8 == 0 ? &w->slots[(at + MAX_FRAME) / 8] : NULL;
}

/* A word of the frame gets this value.  One that gets several is not followed any more: addresses in it escape. */
static bool put(struct walk *w, int32_t at, int32_t value)
{
        int32_t *slot = slot_at(w, at), was = slot ? *slot : NOWHERE;

        if (!slot || was == value)
                return false;
        if (was != UNUSED) {
                escape(w, was);
                escape(w, value);
                value = NOWHERE;
        }
        *slot = value;
        return was != value;
}

/* What words of the frame hold after an instruction. */
static bool note_stores(struct walk *w, const struct insn *i, const struct state *s)
{
        bool changed = false;

        for (uint32_t a = 0; a < i->n_accesses; a++) {
                const struct access *x = &i->accesses[a];
                int32_t at = place_of(x, s);

                if (at == NOWHERE || !x->writes)
                        continue;
                if (at % 8 == 0 && i->stores >= 0) {
                        changed |= put(w, at, s->at[i->stores]);
                        continue;
                }
                for (int32_t b = (at >> 3) * 8; b < at + (int32_t)x->size; b += 8)
                        changed |= put(w, b, NOWHERE);
        }
        return changed;
}

static void step(struct walk *w, const struct insn *i, struct state *s)
{
        const int32_t *slot = i->loads >= 0 && i->n_accesses ? slot_at(w, place_of(&i->accesses[0], s)) : NULL;
        int32_t moved = i->from >= 0 ? shifted(s->at[i->from], i->add) : NOWHERE;

        if (i->flow == CALL) {
                for (uint32_t r = 0; r < REGS; r++)
                        if (!(KEPT >> r & 1) && !is_kept(i))
                                s->at[r] = NOWHERE;
                return;
        }
        for (uint32_t r = 0; r < REGS; r++)
                if (i->def >> r & 1)
                        s->at[r] = NOWHERE;
        if (i->pushes) {
                s->at[RSP] = shifted(s->at[RSP], -8);
        } else if (i->pops) {
                s->at[RSP] = shifted(s->at[RSP], 8);
        } else if (i->mnemonic == ZYDIS_MNEMONIC_LEAVE) {
                s->at[RSP] = shifted(s->at[RBP], 8);
                s->at[RBP] = NOWHERE;
        } else if (i->to >= 0 && i->from >= 0) {
                s->at[i->to] = moved;
        } else if (slot && *slot != UNUSED) {
                s->at[i->loads] = *slot;
        }
}

/* Code k is reached in one more state.  Of two addresses in a register none is followed any more. */
static bool meet(struct walk *w, uint32_t k, const struct state *from)
{
        struct state *to = &w->states[k];
        bool changed = false;

        if (!to->reached) {
                *to = *from;
                return true;
        }
        for (uint32_t r = 0; r < REGS; r++) {
                if (to->at[r] == from->at[r])
                        continue;
                if (w->live[k].regs >> r & 1) {
                        escape(w, to->at[r]);
                        escape(w, from->at[r]);
                }
                changed |= to->at[r] != NOWHERE;
                to->at[r] = NOWHERE;
        }
        return changed;
}

/* One pass over the code; false: nothing has changed. */
static bool pass_forwards(struct walk *w)
{
        bool changed = false;

        for (uint32_t k = 0; k < w->n; k++) {
                const struct insn *i = &w->code[k];
                struct state s = w->states[k];

                if (!s.reached)
                        continue;
                changed |= note_stores(w, i, &s);
                step(w, i, &s);
                if (i->target != NONE)
                        changed |= meet(w, i->target, &s);
                if ((i->flow == NEXT || i->flow == BRANCH || i->flow == CALL) && k + 1 < w->n)
                        changed |= meet(w, k + 1, &s);
                for (uint32_t p = 0; p < w->n_pads && i->flow == CALL && !is_kept(i); p++)
                        changed |= meet(w, w->pads[p], &s);
        }
        return changed;
}

static bool is_padding(const struct insn *i)
{
        return i->mnemonic == ZYDIS_MNEMONIC_NOP || i->mnemonic == ZYDIS_MNEMONIC_INT3 ||
               i->mnemonic == ZYDIS_MNEMONIC_UD2;
}

/* The first code that nothing leads to becomes a landing pad; false: there is none. */
static bool add_pad(struct walk *w)
{
        for (uint32_t k = 0; k < w->n; k++)
                if (!w->states[k].reached && !is_padding(&w->code[k])) {
                        w->pads[w->n_pads++] = k;
                        return true;
                }
        return false;
}

static void go_forwards(struct walk *w)
{
        for (uint32_t k = 0; k < MAX_FRAME / 8; k++)
                w->slots[k] = UNUSED;
        w->states[0].reached = true;
        for (uint32_t r = 0; r < REGS; r++)
                w->states[0].at[r] = r == RSP ? 0 : NOWHERE;
        do {
                uint32_t known = w->n_pads;
                while (pass_forwards(w) && !late_soon())
                        ;
                if (known && !w->states[w->pads[known - 1]].reached)
                        return; /* there is no call that could lead there */
        } while (w->n_pads < w->n && add_pad(w) && !late_soon());
}

static void find_escapes(struct walk *w)
{
        for (uint32_t k = 0; k < w->n && !late_soon(); k++) {
                const struct insn *i = &w->code[k];
                const struct state *s = &w->states[k];
                uint32_t leaks = i->flow == CALL && i->call == LIVENESS_ANY ? i->leak | ARGUMENTS : i->leak;
                const int32_t *slot = i->stores >= 0 && i->n_accesses ? slot_at(w, place_of(&i->accesses[0], s)) : NULL;

                if (!s->reached)
                        continue;
                if (slot && *slot == s->at[i->stores])
                        leaks &= ~BIT(i->stores); /* it is followed */
                for (uint32_t r = 0; r < REGS; r++)
                        if (leaks >> r & 1)
                                escape(w, s->at[r]);
                for (uint32_t a = 0; a < i->n_accesses; a++) {
                        const struct access *x = &i->accesses[a];
                        bool ours = x->base >= 0 && s->at[x->base] != NOWHERE;

                        w->failed |= x->base == RSP && !ours;
                        if (ours && (x->indexed || i->string))
                                escape_all(w);
                        else if (ours && x->reads)
                                mark(w->read, shifted(s->at[x->base], x->offset), x->size, true);
                }
        }
}

/* Addresses in words whose own address escapes can be read from anywhere. */
static void escape_slots(struct walk *w)
{
        bool more = true;

        while (more && !late_soon()) {
                more = false;
                for (int32_t at = -MAX_FRAME; at < 0; at += 8) {
                        int32_t *slot = slot_at(w, at);

                        if (!marked(w->escaped, at) || *slot == UNUSED || *slot == NOWHERE)
                                continue;
                        escape(w, *slot);
                        *slot = NOWHERE;
                        more = true;
                }
        }
}

/* Backwards. */

static bool join(struct live *to, const struct live *from)
{
        uint64_t more = from->regs & ~to->regs;

        to->regs |= from->regs;
        for (uint32_t k = 0; k < WORDS; k++) {
                more |= from->bytes[k] & ~to->bytes[k];
                to->bytes[k] |= from->bytes[k];
        }
        return more != 0;
}

/* What is live after instruction k. */
static struct live after(struct walk *w, uint32_t k)
{
        const struct insn *i = &w->code[k];
        struct live out = {0};

        if ((i->flow == NEXT || i->flow == BRANCH || i->flow == CALL) && k + 1 < w->n)
                out = w->live[k + 1];
        if (i->target != NONE)
                join(&out, &w->live[i->target]);
        else if (i->flow == JUMP || i->flow == BRANCH || i->flow == LEAVES)
                out.regs = ALL;
        if (i->flow == CALL && !is_kept(i))
                join(&out, &w->of_pads);
        return out;
}

/* Arguments on the stack: the lowest bytes of the frame, which this function itself never reads. */
static void read_arguments(const struct walk *w, struct live *l, int32_t at)
{
        for (; at != NOWHERE && at < 0 && !marked(w->read, at); at++)
                mark(l->bytes, at, 1, true);
}

static uint32_t uses_of(const struct walk *w, const struct insn *i)
{
        return w->addresses ? i->bases | i->leak : i->use;
}

static void before_call(const struct walk *w, const struct insn *i, const struct state *s, struct live *l)
{
        l->regs = (l->regs & KEPT) | uses_of(w, i) | ARGUMENTS;
        if (i->call == LIVENESS_CAS && s->at[RSI] != NOWHERE)
                mark(l->bytes, s->at[RSI], i->cas, true);
        if (i->call == LIVENESS_ANY)
                read_arguments(w, l, s->at[RSP]);
}

/* Is all that it changes dead afterwards?  Then what it reads is not alive because of it: a local that only counts the rounds of
 * a loop.  Memory must be in the frame, where no access fails. */
static bool is_faint(const struct walk *w, const struct insn *i, const struct state *s, const struct live *l)
{
        if (w->addresses || !i->computes || !s->reached || i->writes & (l->regs | BIT(RSP)))
                return false;
        for (uint32_t a = 0; a < i->n_accesses; a++) {
                const struct access *x = &i->accesses[a];
                int32_t at = place_of(x, s);

                if (at == NOWHERE || at < -MAX_FRAME || at + (int32_t)x->size > 0)
                        return false;
                for (int32_t b = at; b < at + (int32_t)x->size && x->writes; b++)
                        if (marked(l->bytes, b) || marked(w->escaped, b))
                                return false;
        }
        return i->n_accesses || i->writes;
}

static struct live before(struct walk *w, uint32_t k)
{
        const struct insn *i = &w->code[k];
        const struct state *s = &w->states[k];
        struct live l = after(w, k);

        if (i->flow == CALL && !is_kept(i)) {
                before_call(w, i, s, &l);
                return l;
        }
        if (is_kept(i) || is_faint(w, i, s, &l))
                return l;
        l.regs = (l.regs & ~i->def) | uses_of(w, i);
        if (i->pushes && s->reached)
                mark(l.bytes, shifted(s->at[RSP], -8), 8, false);
        for (uint32_t a = 0; a < i->n_accesses && s->reached; a++) {
                const struct access *x = &i->accesses[a];

                if (x->base >= 0 && s->at[x->base] != NOWHERE && !x->indexed && x->kills)
                        mark(l.bytes, shifted(s->at[x->base], x->offset), x->size, false);
        }
        for (uint32_t a = 0; a < i->n_accesses && s->reached; a++) {
                const struct access *x = &i->accesses[a];

                if (x->base >= 0 && s->at[x->base] != NOWHERE && x->reads)
                        mark(l.bytes, shifted(s->at[x->base], x->offset), x->size, true);
        }
        if (i->pops && s->reached)
                mark(l.bytes, s->at[RSP], 8, true);
        if (i->mnemonic == ZYDIS_MNEMONIC_LEAVE && s->reached)
                mark(l.bytes, s->at[RBP], 8, true);
        return l;
}

static void go_backwards(struct walk *w)
{
        bool changed = true;

        while (changed && !late_soon()) {
                changed = false;
                for (uint32_t p = 0; p < w->n_pads; p++)
                        changed |= join(&w->of_pads, &w->live[w->pads[p]]);
                for (uint32_t k = w->n; k-- > 0;) {
                        struct live l = before(w, k);
                        changed |= join(&w->live[k], &l);
                }
        }
}

/* Jumps out of the function are calls where its frame is gone; any other may lead to code that still uses the frame. */
static bool stays_inside(const struct walk *w)
{
        for (uint32_t k = 0; k < w->n; k++) {
                const struct insn *i = &w->code[k];

                if (!w->states[k].reached)
                        continue;
                if ((i->flow == JUMP || i->flow == BRANCH) && i->target == NONE && w->states[k].at[RSP] != 0)
                        return false;
                if ((i->flow == CALL || i->pushes || i->pops) && w->states[k].at[RSP] == NOWHERE)
                        return false;
        }
        return true;
}

static bool result(const struct walk *w, uint64_t site, struct wire_loop *out)
{
        static const uint8_t regs[] = {RBX, RBP, R12, R12 + 1, R12 + 2, R15};
        uint32_t k = liveness_index(w->code, w->n, site);
        bool call = k != NONE && k && w->code[k - 1].flow == CALL;
        const struct live *l;
        int32_t sp;

        if (k == NONE || k == 0)
                return false;
        k -= !call; /* an instruction is not performed yet */
        l = &w->live[k];
        sp = w->states[k].at[RSP];
        if ((!call && w->code[k].flow != NEXT && !w->code[k].begins) || !w->states[k].reached || sp == NOWHERE ||
            sp > 0 || sp < -MAX_FRAME || sp % 8)
                return false;
        out->frame = (uint32_t)-sp;
        out->live = 0;
        out->scratch = call && !is_kept(&w->code[k - 1]) ? 0 : l->regs;
        for (uint32_t r = 0; r < sizeof regs; r++)
                out->live |= (uint16_t)((l->regs >> regs[r] & 1) << r);
        memset(out->dead, 0, sizeof out->dead);
        for (int32_t b = 0; b < -sp && b < (int32_t)WIRE_LOOP_FRAME; b++)
                if (!marked(l->bytes, sp + b) && !marked(w->escaped, sp + b))
                        out->dead[b / 64] |= UINT64_C(1) << (b % 64);
        return true;
}

bool liveness_find(const struct liveness_code *f, uint64_t site, struct wire_loop *out)
{
        size_t room = f->hi - f->lo < MAX_CODE ? (size_t)(f->hi - f->lo) : MAX_CODE;
        struct walk w = {.f = f,
                         .code = calloc(room + 1, sizeof *w.code),
                         .states = calloc(room + 1, sizeof *w.states),
                         .live = calloc(room + 1, sizeof *w.live),
                         .pads = calloc(room + 1, sizeof *w.pads)};
        bool ok = w.code && w.states && w.live && w.pads && liveness_decode(f, w.code, (uint32_t)room, &w.n);

        if (ok) {
                w.n_objects = liveness_place(w.code, w.n, f->objects, f->n_objects);
                w.addresses = true;
                go_backwards(&w); /* the frame is not known yet */
                go_forwards(&w);
                memset(w.live, 0, w.n * sizeof *w.live);
                w.addresses = false;
                w.of_pads = (struct live){0};
                find_escapes(&w);
                escape_slots(&w);
                go_backwards(&w);
        }
        ok = ok && !w.failed && !late_soon() && stays_inside(&w) && result(&w, site, out);
        free(w.code);
        free(w.states);
        free(w.live);
        free(w.pads);
        return ok;
}
