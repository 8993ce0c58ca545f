/*
 * Writes a program as C.  A node that is to be dropped leaves only its bodies behind, so a failing program can be made
 * smaller without being drawn again.
 */
#include "program.h"

#include <string.h>

struct emit {
        FILE *out;
        const struct program *p;
        const bool *drop;
        int index, thread, indent;
};

__attribute__((format(printf, 2, 3))) static void line(struct emit *e, const char *format, ...)
{
        __builtin_va_list args;
        fprintf(e->out, "%*s", e->indent * 8, "");
        __builtin_va_start(args, format);
        vfprintf(e->out, format, args);
        __builtin_va_end(args);
        fputc('\n', e->out);
}

static const char *place_text(struct place at, char text[16])
{
        static const char names[] = {[1] = 'B', [2] = 'H', [4] = 'I', [8] = 'L'};
        snprintf(text, 16, "%c(%d, %d)", names[at.size], at.cell, at.index);
        return text;
}

static void emit_list(struct emit *e, const struct node *list);

static void block(struct emit *e, const struct node *list)
{
        e->indent++;
        emit_list(e, list);
        e->indent--;
}

static void branch(struct emit *e, const struct node *n, const char *last)
{
        block(e, n->body);
        e->indent++;
        if (last)
                line(e, "%s", last);
        e->indent--;
        line(e, "} else {");
        e->indent++;
        line(e, "SEE(9);");
        e->indent--;
        block(e, n->alt);
        line(e, "}");
}

static void emit_memory(struct emit *e, const struct node *n)
{
        char a[16], b[16];
        place_text(n->at, a);
        place_text(n->from, b);
        switch (n->kind) {
        case K_READ:
                line(e, "SEE(%s);", a);
                break;
        case K_WRITE:
                line(e, "%s = %d;", a, n->value);
                break;
        case K_INC:
                line(e, "%s++;", a);
                break;
        case K_COPY:
                line(e, "%s = %s + %d;", a, b, n->value);
                break;
        case K_MEMCPY:
                line(e, "memcpy(&I(%d, 0), &I(%d, 1), 4);", n->at.cell, n->from.cell);
                break;
        case K_LOAD:
                line(e, "SEE(__atomic_load_n(&%s, __ATOMIC_SEQ_CST));", a);
                break;
        case K_STORE:
                line(e, "__atomic_store_n(&%s, %d, __ATOMIC_SEQ_CST);", a, n->value);
                break;
        case K_ADD:
                line(e, "SEE(__atomic_fetch_add(&%s, %d, __ATOMIC_SEQ_CST));", a, n->value);
                break;
        case K_XCHG:
                line(e, "SEE(__atomic_exchange_n(&%s, %d, __ATOMIC_SEQ_CST));", a, n->value);
                break;
        case K_CAS:
                line(e, "if (__sync_bool_compare_and_swap(&%s, %d, %d)) {", a, n->value, n->value2);
                branch(e, n, NULL);
                break;
        case K_IF:
                line(e, "if (%s == %d) {", a, n->value);
                branch(e, n, NULL);
                break;
        case K_ASSUME:
                line(e, "heddle_assume(%s != %d);", a, n->value);
                break;
        case K_ASSERT:
                line(e, "assert(%s != %d);", a, n->value);
                break;
        case K_ABORT_IF:
                line(e, "if (%s == %d)", a, n->value);
                line(e, "        abort();");
                break;
        case K_SPIN:
                line(e, "while (__atomic_load_n(&%s, __ATOMIC_SEQ_CST) == 0)", a);
                line(e, "        ;");
                break;
        case K_ATOMIC:
                line(e, "heddle_atomic_begin();");
                block(e, n->body);
                line(e, "heddle_atomic_end();");
                break;
        default:
                break;
        }
}

static void emit_sync(struct emit *e, const struct node *n)
{
        char a[16];
        place_text(n->at, a);
        switch (n->kind) {
        case K_LOCK:
                if (n->obj == 3) {
                        line(e, "if (pthread_mutex_lock(&m[3]) == 0) {");
                        branch(e, n, "pthread_mutex_unlock(&m[3]);");
                } else {
                        line(e, "pthread_mutex_lock(&m[%d]);", n->obj);
                        block(e, n->body);
                        line(e, "pthread_mutex_unlock(&m[%d]);", n->obj);
                }
                break;
        case K_CROSS:
                line(e, "pthread_mutex_lock(&m[%d]);", n->obj);
                line(e, "pthread_mutex_lock(&m[%d]);", n->obj2);
                line(e, "pthread_mutex_unlock(&m[%d]);", n->obj);
                block(e, n->body);
                line(e, "pthread_mutex_unlock(&m[%d]);", n->obj2);
                break;
        case K_TRYLOCK: {
                char last[48];
                snprintf(last, sizeof(last), "pthread_mutex_unlock(&m[%d]);", n->obj);
                line(e, "if (pthread_mutex_trylock(&m[%d]) == 0) {", n->obj);
                branch(e, n, last);
                break;
        }
        case K_TIMEDLOCK: {
                char last[48];
                snprintf(last, sizeof(last), "pthread_mutex_unlock(&m[%d]);", n->obj);
                line(e, "if (pthread_mutex_timedlock(&m[%d], &until[%d]) == 0) {", n->obj, n->value2);
                branch(e, n, last);
                break;
        }
        case K_RDLOCK: case K_WRLOCK: case K_TRYRDLOCK: case K_TRYWRLOCK: case K_TIMEDRDLOCK: case K_TIMEDWRLOCK: {
                static const char *const calls[] = {"rdlock(", "wrlock(", "tryrdlock(", "trywrlock(", "timedrdlock(",
                                                    "timedwrlock("};
                bool timed = n->kind == K_TIMEDRDLOCK || n->kind == K_TIMEDWRLOCK;
                char last[48], until[24];
                snprintf(last, sizeof(last), "pthread_rwlock_unlock(&rw[%d]);", n->obj);
                snprintf(until, sizeof(until), ", &until[%d]", n->value2);
                line(e, "if (pthread_rwlock_%s&rw[%d]%s) == 0) {", calls[n->kind - K_RDLOCK], n->obj, timed ? until : "");
                branch(e, n, last);
                break;
        }
        case K_RWUNLOCK:
                line(e, "pthread_rwlock_unlock(&rw[%d]);", n->obj);
                break;
        case K_SPINLOCK:
                line(e, "pthread_spin_lock(&spin);");
                block(e, n->body);
                line(e, "pthread_spin_unlock(&spin);");
                break;
        case K_SPINTRY:
                line(e, "if (pthread_spin_trylock(&spin) == 0) {");
                branch(e, n, "pthread_spin_unlock(&spin);");
                break;
        case K_BARRIER:
                line(e, "SEE(pthread_barrier_wait(&barrier) ? 7 : 8);");
                break;
        case K_TIMEDWAIT:
                line(e, "pthread_mutex_lock(&m[%d]);", n->obj2);
                line(e, "SEE(pthread_cond_timedwait(&c[%d], &m[%d], &until[%d]) ? 6 : 5);", n->obj, n->obj2, n->value2);
                line(e, "pthread_mutex_unlock(&m[%d]);", n->obj2);
                break;
        case K_SEM_TIMEDWAIT:
                line(e, "if (sem_timedwait(sp[%d], &until[%d]) == 0) {", n->obj, n->value2);
                branch(e, n, NULL);
                break;
        case K_WAIT_LOOP: case K_WAIT_NAKED:
                line(e, "pthread_mutex_lock(&m[%d]);", n->obj2);
                if (n->kind == K_WAIT_LOOP)
                        line(e, "while (%s == 0)", a);
                line(e, "%spthread_cond_wait(&c[%d], &m[%d]);", n->kind == K_WAIT_LOOP ? "        " : "", n->obj,
                     n->obj2);
                line(e, "pthread_mutex_unlock(&m[%d]);", n->obj2);
                line(e, "SEE(5);");
                break;
        case K_SIGNAL:
                line(e, "pthread_cond_signal(&c[%d]);", n->obj);
                break;
        case K_BROADCAST:
                line(e, "pthread_cond_broadcast(&c[%d]);", n->obj);
                break;
        case K_SEM_WAIT:
                line(e, "sem_wait(sp[%d]);", n->obj);
                break;
        case K_SEM_TRYWAIT:
                line(e, "if (sem_trywait(sp[%d]) == 0) {", n->obj);
                branch(e, n, NULL);
                break;
        case K_SEM_POST:
                line(e, "sem_post(sp[%d]);", n->obj);
                break;
        case K_SEM_VALUE:
                line(e, "SEE(sem_value(sp[%d]));", n->obj);
                break;
        case K_ONCE:
                line(e, "pthread_once(&once, first_time);");
                line(e, "SEE(once_count);");
                break;
        default:
                break;
        }
}

static void emit_other(struct emit *e, const struct node *n)
{
        switch (n->kind) {
        case K_PUT:
                line(e, "SEE(put(%d));", n->value);
                break;
        case K_TAKE:
                line(e, "SEE(take());");
                break;
        case K_PEEK:
                line(e, "SEE(*block);");
                break;
        case K_SWAP:
                line(e, "SEE(swap(%d));", n->value);
                break;
        case K_REUSE:
                line(e, "reuse();");
                break;
        case K_MALLOC:
                line(e, "SEE(allocates() ? 3 : 4);");
                break;
        case K_CHOOSE:
                line(e, "SEE(heddle_choose(%d));", n->value);
                break;
        case K_CHOOSE_IF:
                line(e, "if (heddle_choose(2)) {");
                branch(e, n, NULL);
                break;
        case K_DEREF:
                line(e, "if (%s == 0)", "__atomic_load_n(&box, __ATOMIC_SEQ_CST)");
                line(e, "        *(volatile int *)0 = 1;");
                break;
        case K_YIELD:
                line(e, "sched_yield();");
                break;
        case K_FUTEX_WAIT:
                line(e, "SEE(FUTEX(&I(%d, 0), FUTEX_WAIT, %d));", n->at.cell, n->value);
                break;
        case K_FUTEX_WAKE:
                line(e, "SEE(FUTEX(&I(%d, 0), FUTEX_WAKE, %d));", n->at.cell, n->value);
                break;
        case K_PIPE_WRITE:
                line(e, "write(ends[1], &(char){%d}, 1);", n->value);
                break;
        case K_PIPE_READ:
                line(e, "SEE((read(ends[0], &byte, 1), byte));");
                break;
        case K_CANCEL:
                if (program_creates(e->p, n->obj, e->drop))
                        line(e, "pthread_cancel(t[%d]);", n->obj);
                break;
        case K_TESTCANCEL:
                line(e, "pthread_testcancel();");
                break;
        case K_FENCE:
                line(e, "__atomic_thread_fence(__ATOMIC_SEQ_CST);");
                break;
        case K_EXIT:
                if (e->thread != 0) {
                        line(e, "r[%d] = (long)h;", e->thread);
                        line(e, "pthread_exit(NULL);");
                }
                break;
        case K_ATEXIT:
                line(e, "atexit(p%d_h%d);", e->index, n->obj);
                break;
        case K_QUIT:
                line(e, "r[%d] = (long)h;", e->thread);
                line(e, "exit(0);");
                break;
        case K_KEY:
                line(e, "pthread_setspecific(key, &r[%d]);", e->thread);
                break;
        case K_SPAWN:
                line(e, "pthread_create(&t[%d], NULL, p%d_t%d, NULL);", n->obj, e->index, n->obj);
                break;
        case K_JOIN:
                if (n->value == 1)
                        line(e, "SEE(pthread_tryjoin_np(t[%d], NULL) ? (pthread_join(t[%d], NULL), 8) : 7);", n->obj, n->obj);
                else if (n->value == 2)
                        line(e, "SEE(pthread_timedjoin_np(t[%d], NULL, &until[%d]) ? (pthread_join(t[%d], NULL), 8) : 7);",
                             n->obj, n->value2, n->obj);
                else
                        line(e, "pthread_join(t[%d], NULL);", n->obj);
                break;
        case K_DETACH_SELF:
                line(e, "pthread_detach(pthread_self());");
                break;
        case K_POLL:
                line(e, "SEE(poll(&(struct pollfd){.fd = ends[0], .events = POLLIN}, 1, %d) + 7);",
                     n->value == 0 ? 0 : n->value == 1 ? -1 : 1000);
                break;
        case K_REQUEUE:
                line(e, "SEE(seen_futex(syscall(SYS_futex, &I(0, 0), FUTEX_REQUEUE, %d, 100, &I(1, 0), 0)));", n->value);
                break;
        case K_ROBUST:
                line(e, "e = pthread_mutex_lock(&robust);");
                line(e, "SEE(e == 0 ? 5 : e == EOWNERDEAD ? 6 : 9);");
                if (n->value)
                        line(e, "e = e == EOWNERDEAD ? pthread_mutex_consistent(&robust) : e;");
                line(e, "if (e == 0 || e == EOWNERDEAD) {");
                block(e, n->body);
                e->indent++;
                if (n->value2) {
                        line(e, "r[%d] = (long)h;", e->thread);
                        line(e, "pthread_exit(NULL);");
                }
                line(e, "pthread_mutex_unlock(&robust);");
                e->indent--;
                line(e, "}");
                break;
        case K_DETACH:
                line(e, "pthread_detach(t[%d]);", n->obj);
                break;
        default:
                break;
        }
}

static void emit_list(struct emit *e, const struct node *list)
{
        for (const struct node *n = list; n; n = n->next) {
                bool waits = n->kind == K_JOIN || n->kind == K_DETACH; /* goes with its thread, not without it */
                if (waits ? !program_creates(e->p, n->obj, e->drop) : e->drop[n->id]) {
                        emit_list(e, n->body);
                        emit_list(e, n->alt);
                        continue;
                }
                emit_memory(e, n);
                emit_sync(e, n);
                emit_other(e, n);
        }
}

/* A quarter of the programs calls the same by the names of C11. */
static const char *const c11[][2] = {
        {"pthread_mutex_lock(m)", "mtx_lock((mtx_t *)(m))"},
        {"pthread_mutex_trylock(m)", "mtx_trylock((mtx_t *)(m))"},
        {"pthread_mutex_timedlock(m, t)", "mtx_timedlock((mtx_t *)(m), t)"},
        {"pthread_mutex_unlock(m)", "mtx_unlock((mtx_t *)(m))"},
        {"pthread_cond_wait(c, m)", "cnd_wait((cnd_t *)(c), (mtx_t *)(m))"},
        {"pthread_cond_timedwait(c, m, t)", "cnd_timedwait((cnd_t *)(c), (mtx_t *)(m), t)"},
        {"pthread_cond_signal(c)", "cnd_signal((cnd_t *)(c))"},
        {"pthread_cond_broadcast(c)", "cnd_broadcast((cnd_t *)(c))"},
        {"pthread_create(t, attr, f, arg)", "thrd_create(t, (thrd_start_t)(void *)(f), arg)"},
        {"pthread_join(t, value)", "thrd_join(t, NULL)"},
        {"pthread_detach(t)", "thrd_detach(t)"},
        {"pthread_exit(value)", "thrd_exit(0)"},
        {"pthread_once(once, f)", "call_once((once_flag *)(once), f)"},
        {"sched_yield()", "thrd_yield()"},
};

static void emit_c11(FILE *out, const struct program *p, int index, bool begin)
{
        for (size_t i = 0; index % 4 == 1 && !p->uses_robust && i < sizeof(c11) / sizeof(c11[0]); i++)
                if (begin)
                        fprintf(out, "#define %s %s\n", c11[i][0], c11[i][1]);
                else
                        fprintf(out, "#undef %.*s\n", (int)strcspn(c11[i][0], "("), c11[i][0]);
}

static void emit_start(struct emit *e, const struct program *p)
{
        for (int i = 0; i < 2; i++)
                if (p->init[i])
                        line(e, "x[%d] = %d;", i, p->init[i]);
        for (int i = 0; p->uses_sem && i < N_SEMS; i++)
                if (e->index % 4 == 2)
                        line(e, "sp[%d] = sem_open(\"/oracle%d\", O_CREAT, 0600, %d);", i, i, p->sem[i]);
                else
                        line(e, "sem_init(&s[%d], 0, %d);", i, p->sem[i]);
        if (p->uses_pipe)
                line(e, "pipe(ends);");
        if (p->uses_barrier)
                line(e, "pthread_barrier_init(&barrier, NULL, %d);", BARRIER);
        if (p->uses_robust)
                line(e, "init_robust();");
        if (p->uses_key)
                line(e, "pthread_key_create(&key, p%d_key);", e->index);
        if (p->uses_block)
                line(e, "block = calloc(1, sizeof(*block)), *block = 3;");
}

/* What runs at exit, and at the end of a thread. */
static void emit_ends(struct emit *e, const struct program *p)
{
        for (int h = 0; h < p->n_handlers; h++) {
                fprintf(e->out, "static void p%d_h%d(void)\n{\n", e->index, h);
                line(e, "unsigned long h = 1;");
                emit_list(e, p->handler[h]);
                line(e, "(void)h;");
                fprintf(e->out, "}\n");
        }
        if (!p->uses_key)
                return;
        fprintf(e->out, "static void p%d_key(void *arg)\n{\n", e->index);
        line(e, "unsigned long h = *(unsigned long *)arg;");
        emit_list(e, p->destructor);
        line(e, "*(unsigned long *)arg = h;");
        fprintf(e->out, "}\n");
}

void program_emit(FILE *out, const struct program *p, int index, const bool drop[MAX_NODES])
{
        struct emit e = {.out = out, .p = p, .drop = drop, .index = index, .indent = 1};
        struct estimate est;

        program_estimate(p, &est);
        fprintf(out, "\n/* program %d: nodes %d, interleavings %.0f, blocks %d, deadlocks %d */\n", index, p->n_nodes,
                est.interleavings, est.blocks, est.deadlocks);
        emit_c11(out, p, index, true);
        emit_ends(&e, p);
        /* Children first: the last thread may be created by the one before it. */
        for (int t = MAX_THREADS - 1; t >= 0; t--) {
                if (!p->threads[t].used || (t && !program_creates(p, t, drop)))
                        continue;
                e.thread = t;
                if (t)
                        fprintf(out, "static void *p%d_t%d(void *arg)\n{\n", index, t);
                else
                        fprintf(out, "static int p%d(void)\n{\n", index);
                line(&e, "unsigned long h = 1;");
                if (p->uses_pipe)
                        line(&e, "char byte = 8;");
                if (p->uses_robust)
                        line(&e, "int e;");
                if (t == 0)
                        emit_start(&e, p);
                emit_list(&e, p->threads[t].first);
                line(&e, "r[%d] = (long)h;", t);
                if (t)
                        line(&e, "return arg;");
                else if (p->status_value >= 0)
                        line(&e, "return I(0, 0) == %d;", p->status_value);
                else
                        line(&e, "return 0;");
                fprintf(out, "}\n");
        }
        emit_c11(out, p, index, false);
}
