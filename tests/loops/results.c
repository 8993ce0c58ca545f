/* See results.h. */
#include "results.h"

#include "write.h"

/* What the round before has read is used after the loop: from a register, from a local variable whose address is known elsewhere, or
 * from memory that no other thread uses. */
void remembers(uint32_t x, uint32_t k, uint32_t y)
{
        uint32_t top = here(), done;

        switch (below(3)) {
        case 0:
                text("        for (;;) { a = v%u; if (a == %u) break; b = a; }", x, k);
                store_text(y, "b");
                break;
        case 1:
                text("        for (;;) { a = v%u; if (a == %u) break; put(&b, a); }", x, k);
                store_text(y, "b");
                break;
        case 2: /* in memory of its own */
                text("        own[%u].value = b;", thread);
                text("        for (;;) { a = v%u; if (a == %u) break; own[%u].value = a; }", x, k, thread);
                text("        b = own[%u].value;", thread);
                store_text(y, "b");
                break;
        }
        add(LOAD, 0, x, 0, 0);
        done = jump_on(IF_EQUAL, 0, k);
        add(SET, 1, 0, 0, 1);
        jump(GO, 0, 0, top);
        lands(done);
        add(STORE_REGISTER, 1, y, 0, 0);
}

/* The result of an attempt goes to a variable whose address is handed on, also if the attempt fails: it is used after the loop, which may
 * end before an attempt, or in the next round. */
void attempts(uint32_t x, uint32_t k, uint32_t y)
{
        uint32_t how = below(3), top = here(), other = 0;

        text(how == 0   ? "        for (;;) { a = e = v%u; if (a == %u) break;"
             : how == 1 ? "        for (;;) { a = e = v%u;"
                        : "        for (;;) { a = e = v%u; if (a == %u)",
             x, k);
        add(LOAD, 0, x, 0, 0);
        if (how != 1)
                other = jump_on(how ? IF_OTHER : IF_EQUAL, 0, k);
        if (how == 2) {
                store_text(y, "b");
                add(STORE_REGISTER, 1, y, 0, 0);
                lands(other);
        }
        text("        put(&b, a); if (atomic_compare_exchange_strong(&v%u, &e, (a + 1) & 3)) break; }", x);
        add(SET, 1, 0, 0, 1);
        add(CAS_NEXT, T, x, 0, 0);
        jump(IF_EQUAL, T, 0, top);
        if (!how)
                lands(other);
        store_text(y, "b");
        add(STORE_REGISTER, 1, y, 0, 0);
}

/* What a round has read goes to a variable whose address is handed on: sometimes, with another read behind it, to be asked for by the next round, or
 * behind a loop in the loop. */
void keeps(uint32_t x, uint32_t k, uint32_t y, uint32_t j, uint32_t how)
{
        static const char *const texts[] = {
                "        for (;;) { a = v%1$u; if (a == %2$u) break; if (a != %4$u) put(&b, a); }",
                "        for (;;) { a = v%1$u; if (a == %2$u) break; put(&b, a); if (v%3$u == %4$u) break; }",
                "        for (;;) { a = v%1$u; if (a == %2$u && b == %4$u) break; put(&b, a); }",
                "        for (;;) { put(&b, v%1$u); while (v%3$u != %4$u) if (v%1$u == %2$u) break; if (v%1$u == %2$u) break; }",
        };
        uint32_t top = here(), done, other = 0, inner;

        text(texts[how], x, k, y, j);
        if (how == 3) {
                add(LOAD, 1, x, 0, 0);
                inner = here();
                add(LOAD, T, y, 0, 0);
                done = jump_on(IF_EQUAL, T, j);
                add(LOAD, T, x, 0, 0);
                jump(IF_OTHER, T, k, inner);
                lands(done);
                add(LOAD, T, x, 0, 0);
                jump(IF_OTHER, T, k, top);
                store_text(y, "b");
                add(STORE_REGISTER, 1, y, 0, 0);
                return;
        }
        add(LOAD, 0, x, 0, 0);
        if (how == 2) {
                other = jump_on(IF_OTHER, 0, k);
                done = jump_on(IF_EQUAL, 1, j);
                lands(other);
        } else {
                done = jump_on(IF_EQUAL, 0, k);
        }
        if (how == 0) {
                jump(IF_EQUAL, 0, j, top);
        }
        add(SET, 1, 0, 0, 1);
        if (how == 1) {
                add(LOAD, T, y, 0, 0);
                jump(IF_OTHER, T, j, top);
        } else {
                jump(GO, 0, 0, top);
        }
        lands(done);
        store_text(y, "b");
        add(STORE_REGISTER, 1, y, 0, 0);
}
