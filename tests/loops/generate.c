/* See model.h: chooses the statements of a program. */
#include "results.h"
#include "write.h"

bool retries, results;

static void simple(void)
{
        uint32_t r = below(3), x = below(3), k = below(3);
        const char number[] = {(char)('0' + k), 0}, local[] = {(char)('a' + r), 0};

        switch (below(6)) {
        case 0:
        case 1:
                store_text(x, number);
                add(STORE, 0, x, k, 0);
                break;
        case 2:
                text("        %c = v%u;", 'a' + r, x);
                add(LOAD, r, x, 0, 0);
                break;
        case 3:
                text("        %c = atomic_exchange(&v%u, %u);", 'a' + r, x, k);
                add(EXCHANGE, r, x, k, 0);
                break;
        case 4:
                text("        e = %u, %c = atomic_compare_exchange_strong(&v%u, &e, %u);", k, 'a' + r, x, (k + 1) & 3);
                add(CAS, r, x, k, (k + 1) & 3);
                break;
        case 5:
                store_text(x, local);
                add(STORE_REGISTER, r, x, 0, 0);
                break;
        }
}

static void await(uint32_t x, uint32_t k, bool equal)
{
        uint32_t top = here();

        text(below(3) ? "        while (v%u %s %u);" : "        while (get(&v%u) %s %u);", x, equal ? "!=" : "==", k);
        add(LOAD, T, x, 0, 0);
        jump(equal ? IF_OTHER : IF_EQUAL, T, k, top);
}

static void await_both(uint32_t x, uint32_t k, uint32_t y, uint32_t j)
{
        uint32_t top = here();

        text("        while (!(v%u == %u && v%u == %u));", x, k, y, j);
        add(LOAD, T, x, 0, 0);
        jump(IF_OTHER, T, k, top);
        add(LOAD, T, y, 0, 0);
        jump(IF_OTHER, T, j, top);
}

static void await_either(uint32_t x, uint32_t k, uint32_t y, uint32_t j)
{
        uint32_t top = here(), done;

        text("        while (v%u != %u && v%u != %u);", x, k, y, j);
        add(LOAD, T, x, 0, 0);
        done = jump_on(IF_EQUAL, T, k);
        add(LOAD, T, y, 0, 0);
        jump(IF_OTHER, T, j, top);
        lands(done);
}

static void await_different(uint32_t x, uint32_t y)
{
        uint32_t top = here();

        text("        do { a = v%u; b = v%u; } while (a == b);", x, y);
        add(LOAD, 0, x, 0, 0);
        add(LOAD, 1, y, 0, 0);
        jump(IF_SAME, 0, 1, top);
}

/* Reads again in each round, or takes what the failed attempt has read. */
static void retry(uint32_t x, bool reload)
{
        uint32_t top = here();

        if (reload)
                text("        do { a = e = v%u; } while (!atomic_compare_exchange_strong(&v%u, &e, (a + 1) & 3));", x,
                     x);
        else
                text("        a = v%u; while (!atomic_compare_exchange_strong(&v%u, &a, (a + 1) & 3));", x, x);
        add(LOAD, 0, x, 0, 0);
        if (!reload)
                top = here();
        add(CAS_NEXT, T, x, reload ? 0 : 1, 0);
        jump(IF_EQUAL, T, 0, top);
}

/* A failed attempt continues with the value that it has read.  Between, another variable is read or written, or the loop may end. */
static void retry_on(uint32_t x, uint32_t k, uint32_t y, uint32_t how)
{
        static const char *const texts[] = {
                "        a = v%1$u; do { b = v%2$u; } while (!atomic_compare_exchange_strong(&v%1$u, &a, (a + 1) & "
                "3));",
                "        a = v%1$u; do { atomic_store_explicit(&v%2$u, a, %4$s); } while (!atomic_compare_exchange_strong(&v%1$u, "
                "&a, (a + 1) & 3));",
                "        a = v%1$u; while (a != %3$u && !atomic_compare_exchange_strong(&v%1$u, &a, %3$u));",
                "        a = %3$u; while (!atomic_compare_exchange_strong(&v%1$u, &a, (a + 1) & 3));",
                "        a = v%1$u; while (!atomic_compare_exchange_strong(&v%1$u, &a, (a + 1) & 3)) a = v%2$u;",
                "        a = v%1$u; c = 0; while (!atomic_compare_exchange_strong(&v%1$u, &a, (a + 1) & 3)) c = 1;",
                "        do { a = v%2$u; b = a; a = v%1$u; } while (!atomic_compare_exchange_strong(&v%1$u, &a, (a + "
                "1) & 3) && a != %3$u);",
        };
        uint32_t top, done = 0;

        text(texts[how], x, y, k, memory == SC ? "memory_order_seq_cst" : "memory_order_relaxed");
        p->toggles |= how == 1 && memory != SC;
        if (how == 6)
                top = here(), add(LOAD, 1, y, 0, 0);
        if (how == 3)
                add(SET, 0, 0, k, 0);
        else
                add(LOAD, 0, x, 0, 0);
        if (how == 5)
                add(SET, 2, 0, 0, 0);
        if (how != 6)
                top = here();
        if (how == 0)
                add(LOAD, 1, y, 0, 0);
        if (how == 1)
                add(STORE_REGISTER, 0, y, 0, 0);
        if (how == 2)
                done = jump_on(IF_EQUAL, 0, k);
        add(how == 2 ? CAS_TO : CAS_NEXT, T, x, how == 2 ? k : 1, 0);
        if (how == 4 || how == 5) {
                done = jump_on(IF_OTHER, T, 0);
                if (how == 4)
                        add(LOAD, 0, y, 0, 0);
                else
                        add(SET, 2, 0, 1, 0);
                jump(GO, 0, 0, top);
        } else if (how == 6) {
                done = jump_on(IF_OTHER, T, 0);
                jump(IF_OTHER, 0, k, top);
        } else {
                jump(IF_EQUAL, T, 0, top);
        }
        if (done)
                lands(done);
}

/* The first attempt takes a value from memory that no other thread uses. */
static void retry_own(uint32_t x, uint32_t y)
{
        uint32_t top, done;

        text("        own[%u].value = b, a = v%u, b = own[%u].value;", thread, x, thread);
        text("        while (!atomic_compare_exchange_strong(&v%u, &a, (a + 1) & 3)) b = 1;", x);
        store_text(y, "b");
        add(LOAD, 0, x, 0, 0);
        top = here();
        add(CAS_NEXT, T, x, 1, 0);
        done = jump_on(IF_OTHER, T, 0);
        add(SET, 1, 0, 1, 0);
        jump(GO, 0, 0, top);
        lands(done);
        add(STORE_REGISTER, 1, y, 0, 0);
}

static void locked(bool cas)
{
        uint32_t top = here();

        if (cas) {
                text("        do { e = 0; } while (!atomic_compare_exchange_strong(&v3, &e, 1));");
                add(CAS, T, 3, 0, 1);
                jump(IF_EQUAL, T, 0, top);
        } else {
                text("        while (atomic_exchange(&v3, 1));");
                add(EXCHANGE, T, 3, 1, 0);
                jump(IF_OTHER, T, 0, top);
        }
        simple();
        simple();
        store_text(3, "0");
        add(STORE, 0, 3, 0, 0);
}

static void bounded(uint32_t x, uint32_t k)
{
        uint32_t top, done, found;

        text("        for (i = 0; i < 2 && v%u != %u; i++);", x, k);
        text("        c = i;");
        add(SET, I, 0, 0, 0);
        top = here();
        done = jump_on(IF_EQUAL, I, 2);
        add(LOAD, T, x, 0, 0);
        found = jump_on(IF_EQUAL, T, k);
        add(ADD, I, 0, 1, 0);
        jump(GO, 0, 0, top);
        lands(done);
        lands(found);
        add(SET, 2, I, 0, 1);
}

/* How stores of a loop reach memory where they are delayed.  Chosen so that other choices stay as they are. */
enum delay { RELAXED, SC_STORES, FENCE_LAST, FENCE_EACH };

static enum delay some_delay(void)
{
        return memory == SC ? SC_STORES : (enum delay)peek();
}

static void put_number(uint32_t x, uint32_t k, enum delay d, bool last)
{
        const char number[] = {(char)('0' + k), 0};

        if (d == SC_STORES)
                text("        v%u = %u;", x, k);
        else
                store_text(x, number);
        add(d == SC_STORES ? STORE_NOW : STORE, 0, x, k, 0);
        if (d != FENCE_EACH && (d != FENCE_LAST || !last))
                return;
        text("        atomic_thread_fence(memory_order_seq_cst);");
        add(FENCE, 0, 0, 0, 0);
}

static void toggle(uint32_t m, uint32_t x, uint32_t k, uint32_t values)
{
        uint32_t top = here(), done;
        enum delay d = some_delay();

        p->toggles = true;
        text("        for (;;) {");
        put_number(m, 1, d, false);
        if (values == 2) { /* reads back what it has written */
                text("        a = v%u;", m);
                add(LOAD, 0, m, 0, 0);
                put_number(m, 2, d, false);
                text("        b = v%u;", m);
                add(LOAD, 1, m, 0, 0);
        }
        text("        if (v%u == %u) break;", x, k);
        add(LOAD, T, x, 0, 0);
        done = jump_on(IF_EQUAL, T, k);
        put_number(m, 0, d, true);
        text("        }");
        jump(GO, 0, 0, top);
        lands(done);
}

/* A store in each round, which has an effect only if another thread has written.  Ends when another thread writes, there or to another
 * variable. */
static void insist(uint32_t y, uint32_t k, uint32_t x, uint32_t j)
{
        uint32_t top = here(), done;

        p->toggles = true;
        text("        for (;;) {");
        put_number(y, k, some_delay(), true);
        text("        if (v%u %s %u) break; }", j ? x : y, j ? "==" : "!=", j ? j : k);
        add(LOAD, T, j ? x : y, 0, 0);
        done = jump_on(j ? IF_EQUAL : IF_OTHER, T, j ? j : k);
        jump(GO, 0, 0, top);
        lands(done);
}

static void two_exits(uint32_t y, uint32_t j, uint32_t x, uint32_t k)
{
        uint32_t top = here(), done;

        text("        do { if (v%u == %u) break; } while (v%u != %u);", y, j, x, k);
        add(LOAD, T, y, 0, 0);
        done = jump_on(IF_EQUAL, T, j);
        add(LOAD, T, x, 0, 0);
        jump(IF_OTHER, T, k, top);
        lands(done);
}

static void nested(uint32_t x, uint32_t k, uint32_t y, uint32_t j)
{
        uint32_t top = here(), inner, done, out_of;

        text("        while (v%u != %u) while (v%u != %u) if (v%u == %u) break;", x, k, y, j, x, k);
        add(LOAD, T, x, 0, 0);
        done = jump_on(IF_EQUAL, T, k);
        inner = here();
        add(LOAD, T, y, 0, 0);
        jump(IF_EQUAL, T, j, top);
        add(LOAD, T, x, 0, 0);
        out_of = jump_on(IF_OTHER, T, k);
        jump(GO, 0, 0, top);
        p->code[thread][out_of].target = (uint8_t)inner;
        lands(done);
}

/* Asks with a lock held. */
static void poll(uint32_t x, uint32_t k, uint32_t m)
{
        uint32_t top = here();

        text("        do { pthread_mutex_lock(&m%u); a = v%u; pthread_mutex_unlock(&m%u); } while (a != %u);", m, x, m,
             k);
        add(LOCK, 0, m, 0, 0);
        add(LOAD, 0, x, 0, 0);
        add(UNLOCK, 0, m, 0, 0);
        jump(IF_OTHER, 0, k, top);
}

/* Takes a lock that it only tries; or two, and backs off. */
static void tries(uint32_t m, bool both)
{
        uint32_t top = here(), done;

        if (both) {
                text("        for (;;) { pthread_mutex_lock(&m%u); if (!pthread_mutex_trylock(&m%u)) break; "
                     "pthread_mutex_unlock(&m%u); }",
                     m, 1 - m, m);
                add(LOCK, 0, m, 0, 0);
                add(TRY, T, 1 - m, 0, 0);
                done = jump_on(IF_EQUAL, T, 0);
                add(UNLOCK, 0, m, 0, 0);
                jump(GO, 0, 0, top);
                lands(done);
        } else {
                text("        while (pthread_mutex_trylock(&m%u));", m);
                add(TRY, T, m, 0, 0);
                jump(IF_OTHER, T, 0, top);
        }
        simple();
        if (both) {
                text("        pthread_mutex_unlock(&m%u);", 1 - m);
                add(UNLOCK, 0, 1 - m, 0, 0);
        }
        text("        pthread_mutex_unlock(&m%u);", m);
        add(UNLOCK, 0, m, 0, 0);
}

static void asserts(void)
{
        uint32_t r = below(3), k = below(3);

        if (p->n_asserts == ASSERTS)
                return;
        p->lines[p->n_asserts] = lines_so_far();
        text("        assert(%c != %u);", 'a' + r, k);
        add(ASSERT, r, 0, k, p->n_asserts++);
}

static void loop(void)
{
        uint32_t x = below(3), y = (x + 1 + below(2)) % 3, k = below(3), j = below(3);

        uint32_t kind = retries && below(4) ? 18 + below(8) : results && below(4) ? 26 + below(6) : below(18);

        if (kind >= 26) {
                if (kind < 30)
                        keeps(x, k, y, j, kind - 26);
                else
                        (kind == 30 ? remembers : attempts)(x, k, y);
                return;
        }
        if (kind == 25) {
                retry_own(x, y);
                return;
        }
        if (kind >= 18) {
                retry_on(x, k, y, kind - 18);
                return;
        }
        switch (kind) {
        case 15: poll(x, k, below(2)); break;
        case 16: tries(below(2), false); break;
        case 17: tries(below(2), true); break;
        case 0: await(x, k, true); break;
        case 1: await(x, k, false); break;
        case 2: await_both(x, k, y, j); break;
        case 3: await_either(x, k, y, j); break;
        case 4: await_different(x, y); break;
        case 5: retry(x, true); break;
        case 6: retry(x, false); break;
        case 7: locked(false); break;
        case 8: locked(true); break;
        case 9: bounded(x, k); break;
        case 10: toggle(y, x, k, j); break;
        case 11: insist(y, k, x, j); break;
        case 12: two_exits(y, j, x, k); break;
        case 13: nested(x, k, y, j); break;
        case 14: (peek() < 2 ? remembers : attempts)(x, k, y); break;
        }
}

static void make_thread(uint32_t index)
{
        uint32_t n = 2 + below(2), at = below(n), again = below(3) ? n : below(n);

        text("static void *t%u_%u(void *arg)", index, thread);
        text("{");
        text("        int a = 0, b = 0, c = 0, e = 0, i = 0;");
        for (uint32_t s = 0; s < n; s++)
                if (s == at || s == again)
                        loop();
                else
                        simple();
        if (!below(2))
                asserts();
        add(END, 0, 0, 0, 0);
        text("        (void)a, (void)b, (void)c, (void)e, (void)i;");
        text("        return arg;");
        text("}");
}

void program_make(struct program *to, uint64_t seed, uint32_t index, FILE *file, uint32_t *count)
{
        write_begin(to, seed * 1000 + index, file, count);
        p->n_threads += below(3) == 0;
        for (uint32_t v = 0; v + 1 < VARIABLES; v++)
                p->first[v] = (uint8_t)(below(3) ? 0 : 1 + below(2));
        for (thread = 0; thread < p->n_threads; thread++)
                make_thread(index);
}
