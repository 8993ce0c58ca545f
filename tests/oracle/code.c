/*
 * Compiles the tree of a program to the instructions of the model, with the same meaning as the C text of emit.c.
 *
 * Loops that wait for a value become a single instruction; a block handed over through `box` is its value.
 */
#include "code.h"

#include <string.h>

static struct instruction *add(struct compiled *c, enum code code)
{
        int *n = &c->n[c->thread];
        if (*n == MAX_CODE - 1) {
                c->known = false;
                --*n;
        }
        struct instruction *i = &c->code[c->thread][(*n)++];
        memset(i, 0, sizeof(*i));
        i->code = code;
        i->glued = c->glue;
        return i;
}

static struct instruction *add_at(struct compiled *c, enum code code, struct place at, int value)
{
        struct instruction *i = add(c, code);
        i->at = at;
        i->value = value;
        return i;
}

static struct instruction *add_obj(struct compiled *c, enum code code, int obj)
{
        struct instruction *i = add(c, code);
        i->obj = obj;
        return i;
}

static void compile_list(struct compiled *c, const struct node *list);

/* The thread ends, and what it has of the key before it. */
static void compile_end(struct compiled *c)
{
        add(c, C_RESULT);
        if (c->p->uses_key) {
                add(c, C_KEYED);
                struct instruction *unless = add(c, C_UNLESS);
                unless->value = 1;
                compile_list(c, c->p->destructor);
                add(c, C_RESULT);
                unless->target = c->n[c->thread];
        }
        add(c, C_END);
}

/* exit, or main's return: the handlers that are registered, the latest first. */
static void compile_exit(struct compiled *c, bool quit)
{
        add_obj(c, C_RETURN, quit);
        int again = c->n[c->thread];
        struct instruction *pop = c->p->n_handlers ? add(c, C_POP) : NULL;
        for (int h = 0; pop && h < N_HANDLERS; h++) {
                *(h ? &pop->value : &pop->obj) = c->n[c->thread];
                compile_list(c, c->p->handler[h]);
                add(c, C_GOTO)->target = again;
        }
        if (pop)
                pop->target = c->n[c->thread];
        add(c, C_LEFT);
}

/* if (tmp == value) { body; last } else { SEE(9); alt } */
static void compile_branch_of(struct compiled *c, const struct node *n, int value, enum code last, int unlock)
{
        struct instruction *unless = add(c, C_UNLESS), *skip;
        unless->value = value;
        compile_list(c, n->body);
        if (unlock >= 0)
                add_obj(c, last, unlock);
        skip = add(c, C_GOTO);
        unless->target = c->n[c->thread];
        add(c, C_SEE_CONST)->value = 9;
        compile_list(c, n->alt);
        skip->target = c->n[c->thread];
}

static void compile_branch(struct compiled *c, const struct node *n, int value, int unlock)
{
        compile_branch_of(c, n, value, C_UNLOCK, unlock);
}

/* A lock with a body; value2 is the deadline where there is one. */
static void compile_section(struct compiled *c, const struct node *n)
{
        static const enum code codes[] = {C_RD, C_WR, C_TRYRD, C_TRYWR, C_TIMEDRD, C_TIMEDWR};

        if (n->kind == K_SPINLOCK) {
                add(c, C_SPINLOCK);
                compile_list(c, n->body);
                add(c, C_SPINUNLOCK);
        } else if (n->kind == K_SPINTRY) {
                add(c, C_SPINTRY);
                compile_branch_of(c, n, 0, C_SPINUNLOCK, 0);
        } else {
                add_obj(c, codes[n->kind - K_RDLOCK], n->obj)->value2 = n->value2;
                compile_branch_of(c, n, 0, C_RWUNLOCK, n->obj);
        }
}

static void compile_memory(struct compiled *c, const struct node *n)
{
        switch (n->kind) {
        case K_READ: case K_LOAD:
                add_at(c, C_READ, n->at, 0);
                add(c, C_SEE);
                break;
        case K_WRITE: case K_STORE:
                add_at(c, C_WRITE, n->at, n->value);
                break;
        case K_INC: case K_COPY:
                add_at(c, C_READ, n->kind == K_INC ? n->at : n->from, 0);
                add_at(c, C_WRITE_SUM, n->at, n->kind == K_INC ? 1 : n->value);
                break;
        case K_MEMCPY: /* a copy is not one step */
                add_at(c, C_READ, (struct place){n->from.cell, 4, 1}, 0);
                add_at(c, C_WRITE_SUM, (struct place){n->at.cell, 4, 0}, 0);
                break;
        case K_ADD: case K_XCHG:
                add_at(c, n->kind == K_ADD ? C_ADD : C_XCHG, n->at, n->value);
                add(c, C_SEE);
                break;
        case K_CAS:
                add_at(c, C_CAS, n->at, n->value)->value2 = n->value2;
                compile_branch(c, n, 1, -1);
                break;
        case K_IF:
                add_at(c, C_READ, n->at, 0);
                compile_branch(c, n, n->value, -1);
                break;
        case K_ASSUME: case K_ASSERT: case K_ABORT_IF:
                add_at(c, C_READ, n->at, 0);
                struct instruction *i = add(c, n->kind == K_ASSUME ? C_ASSUME_NOT : C_FAIL_IF);
                i->value = n->value;
                i->obj = n->kind == K_ASSERT ? FAIL_ASSERTION : FAIL_ABORT;
                break;
        case K_SPIN:
                add_at(c, C_SPIN, n->at, 0);
                break;
        case K_ATOMIC: {
                bool outer = c->glue;
                add(c, C_ATOMIC);
                c->glue = true;
                compile_list(c, n->body);
                c->glue = outer;
                break;
        }
        default:
                break;
        }
}

static bool waits(enum kind k)
{
        return k == K_LOCK || k == K_SEM_WAIT || k == K_BARRIER || k == K_RDLOCK || k == K_WRLOCK;
}

static void compile_sync(struct compiled *c, const struct node *n)
{
        c->known &= !c->glue || !waits(n->kind); /* others run while a section waits */
        switch (n->kind) {
        case K_RWUNLOCK:
                add_obj(c, C_RWUNLOCK, n->obj);
                break;
        case K_LOCK:
                add_obj(c, n->obj == 3 ? C_LOCK_CHECKED : C_LOCK, n->obj);
                if (n->obj == 3) {
                        compile_branch(c, n, 0, 3);
                } else {
                        compile_list(c, n->body);
                        add_obj(c, C_UNLOCK, n->obj);
                }
                break;
        case K_CROSS:
                add_obj(c, C_LOCK, n->obj);
                add_obj(c, C_LOCK, n->obj2);
                add_obj(c, C_UNLOCK, n->obj);
                compile_list(c, n->body);
                add_obj(c, C_UNLOCK, n->obj2);
                break;
        case K_TRYLOCK:
                add_obj(c, C_TRYLOCK, n->obj);
                compile_branch(c, n, 0, n->obj);
                break;
        case K_WAIT_LOOP: case K_WAIT_NAKED: {
                add_obj(c, C_LOCK, n->obj2);
                int again = c->n[c->thread];
                struct instruction *unless = NULL;
                if (n->kind == K_WAIT_LOOP) {
                        add_at(c, C_READ, n->at, 0);
                        unless = add(c, C_UNLESS);
                }
                add_obj(c, C_WAIT, n->obj)->value = n->obj2;
                add_obj(c, C_RELOCK, n->obj2)->value = n->obj;
                if (unless) {
                        add(c, C_GOTO)->target = again;
                        unless->target = c->n[c->thread];
                }
                add_obj(c, C_UNLOCK, n->obj2);
                add(c, C_SEE_CONST)->value = 5;
                break;
        }
        case K_TIMEDLOCK:
                add_obj(c, C_TIMEDLOCK, n->obj)->value2 = n->value2;
                compile_branch(c, n, 0, n->obj);
                break;
        case K_TIMEDWAIT:
                add_obj(c, C_LOCK, n->obj2);
                add_obj(c, C_TWAIT, n->obj)->value = n->obj2;
                struct instruction *back = add_obj(c, C_TRELOCK, n->obj2);
                back->value2 = n->value2;
                back->value = n->obj;
                add_obj(c, C_UNLOCK, n->obj2);
                add(c, C_SEE);
                break;
        case K_SEM_TIMEDWAIT:
                add_obj(c, C_SEM_TIMED, n->obj)->value2 = n->value2;
                compile_branch(c, n, 0, -1);
                break;
        case K_RDLOCK: case K_WRLOCK: case K_TRYRDLOCK: case K_TRYWRLOCK: case K_TIMEDRDLOCK: case K_TIMEDWRLOCK:
        case K_SPINLOCK: case K_SPINTRY:
                compile_section(c, n);
                break;
        case K_BARRIER:
                add(c, C_ARRIVE);
                add(c, C_LEAVE);
                add(c, C_SEE);
                break;
        case K_SIGNAL: case K_BROADCAST:
                add_obj(c, n->kind == K_SIGNAL ? C_SIGNAL : C_BROADCAST, n->obj);
                break;
        case K_SEM_WAIT: case K_SEM_POST:
                add_obj(c, n->kind == K_SEM_WAIT ? C_SEM_WAIT : C_SEM_POST, n->obj);
                break;
        case K_SEM_TRYWAIT:
                add_obj(c, C_SEM_TRYWAIT, n->obj);
                compile_branch(c, n, 0, -1);
                break;
        case K_SEM_VALUE:
                add_obj(c, C_SEM_VALUE, n->obj);
                add(c, C_SEE);
                break;
        default:
                break;
        }
}

/* A try that fails is followed by a join. */
static void compile_join(struct compiled *c, const struct node *n)
{
        struct instruction *unless = NULL;
        c->known &= n->value != 2 || !c->p->detaches || settings_of(c->index)->timeouts == EXPLORE; /* when is it claimed? */
        if (n->value) {
                add_obj(c, n->value == 1 ? C_TRYJOIN : C_TIMEDJOIN, n->obj)->value2 = n->value2;
                unless = add(c, C_UNLESS);
                unless->value = 8;
        }
        if (c->p->detaches)
                add_obj(c, C_CLAIM, n->obj);
        add_obj(c, C_JOIN, n->obj);
        if (unless) {
                unless->target = c->n[c->thread];
                add(c, C_SEE);
        }
}

static void compile_robust(struct compiled *c, const struct node *n)
{
        struct instruction *lost, *sound = NULL, *skip;
        add(c, C_ROBUST);
        add(c, C_SEE);
        lost = add(c, C_UNLESS); /* not lost: it continues after the jump */
        lost->value = 9;
        skip = add(c, C_GOTO);
        lost->target = c->n[c->thread];
        if (n->value) {
                sound = add(c, C_UNLESS);
                sound->value = 6;
                add(c, C_CONSISTENT);
                sound->target = c->n[c->thread];
        }
        compile_list(c, n->body);
        if (n->value2) { /* held until its end, whichever thread looks at the result before; others may see that it has not ended */
                add(c, C_RESULT);
                add(c, C_ABANDON);
                add(c, C_RESULT);
                add(c, C_END);
        } else {
                add(c, C_ROBUST_UNLOCK);
        }
        skip->target = c->n[c->thread];
}

static void compile_other(struct compiled *c, const struct node *n)
{
        switch (n->kind) {
        case K_PUT: case K_TAKE: /* the value stands for the block: the thread that has it alone may look */
                add(c, C_BOX)->value = n->kind == K_PUT ? n->value : 0;
                add(c, C_SEE);
                break;
        case K_DEREF: {
                add(c, C_BOX)->value = -1;
                struct instruction *i = add(c, C_FAIL_IF);
                i->obj = FAIL_CRASH;
                break;
        }
        case K_PEEK:
                add(c, C_PEEK);
                add(c, C_SEE);
                break;
        case K_REUSE:
                add(c, C_REUSE);
                break;
        case K_SWAP:
                add(c, C_SLOT_READ);
                add_obj(c, C_SLOT_WRITE, n->obj)->value = n->value;
                add(c, C_OLD_READ);
                add(c, C_OLD_FREE);
                add(c, C_SEE);
                break;
        case K_MALLOC:
                add(c, C_SEE_CONST)->value = 3;
                break;
        case K_CHOOSE:
                add(c, C_CHOOSE)->value = n->value;
                add(c, C_SEE);
                break;
        case K_CHOOSE_IF:
                add(c, C_CHOOSE)->value = 2;
                compile_branch(c, n, 1, -1);
                break;
        case K_ONCE:
                add(c, C_SEE_CONST)->value = 1;
                break;
        case K_FUTEX_WAIT:
                add_at(c, C_FUTEX_WAIT, n->at, n->value);
                add(c, C_FUTEX_RETURN);
                add(c, C_SEE);
                break;
        case K_FUTEX_WAKE:
                add_at(c, C_FUTEX_WAKE, n->at, n->value);
                add(c, C_SEE);
                break;
        case K_PIPE_WRITE:
                add(c, C_PIPE_WRITE)->value = n->value;
                break;
        case K_PIPE_READ:
                add(c, C_PIPE_READ);
                add(c, C_SEE);
                break;
        case K_CANCEL:
                if (program_creates(c->p, n->obj, c->drop))
                        add_obj(c, C_CANCEL, n->obj);
                break;
        case K_TESTCANCEL:
                add(c, C_TESTCANCEL);
                break;
        case K_EXIT:
                if (c->thread)
                        compile_end(c);
                break;
        case K_ATEXIT:
                add_obj(c, C_ATEXIT, n->obj);
                break;
        case K_QUIT:
                add(c, C_RESULT);
                compile_exit(c, true);
                break;
        case K_KEY:
                add(c, C_KEY);
                break;
        case K_SPAWN:
                if (program_creates(c->p, n->obj, c->drop))
                        add_obj(c, C_SPAWN, n->obj);
                break;
        case K_JOIN:
                if (program_creates(c->p, n->obj, c->drop))
                        compile_join(c, n);
                break;
        case K_DETACH: /* may be the second time */
                if (c->p->detaches && program_creates(c->p, n->obj, c->drop))
                        add_obj(c, C_DETACH, n->obj);
                break;
        case K_DETACH_SELF:
                add_obj(c, C_DETACH, c->thread);
                break;
        case K_ROBUST:
                compile_robust(c, n);
                break;
        case K_POLL: /* when a deadline that is counted from now on passes, the model does not know */
                c->known &= n->value != 2 || settings_of(c->index)->timeouts != STUCK;
                add(c, C_POLL)->value = n->value;
                add(c, C_SEE);
                break;
        case K_REQUEUE:
                add_at(c, C_REQUEUE, n->at, n->value)->from = n->from;
                add(c, C_SEE);
                break;
        default:
                break;
        }
}

static void compile_list(struct compiled *c, const struct node *list)
{
        for (const struct node *n = list; n; n = n->next) {
                if (c->drop[n->id] && n->kind != K_JOIN && n->kind != K_DETACH) {
                        compile_list(c, n->body);
                        compile_list(c, n->alt);
                } else {
                        compile_memory(c, n);
                        compile_sync(c, n);
                        compile_other(c, n);
                }
        }
}

void code_compile(struct compiled *c, const struct program *p, int index, const bool *drop)
{
        memset(c, 0, sizeof(*c));
        c->index = index;
        c->p = p;
        c->drop = drop;
        c->known = true;
        for (int t = 0; t < MAX_THREADS; t++) {
                c->thread = t;
                if (p->threads[t].used)
                        compile_list(c, p->threads[t].first);
                if (t) {
                        compile_end(c);
                        continue;
                }
                add(c, C_RESULT);
                if (p->status_value >= 0)
                        add_at(c, C_READ, (struct place){0, 4, 0}, 0);
                compile_exit(c, false);
        }
}
