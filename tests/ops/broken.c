/* A plugin with one fault, chosen by BREAK. */
#include <heddle/op.h>

static int calls;

static bool enabled(const void *state, const struct heddle_call *call)
{
        (void)call;
#if BREAK == 1 /* enabled changes the state */
        ++*(uint64_t *)(uintptr_t)state;
        return true;
#elif BREAK == 8 /* crashes where heddle asks about the past */
        return heddle_running() || *(volatile int *)(uintptr_t)0x10;
#elif BREAK == 7 /* crashes in the program */
        return *(volatile int *)(uintptr_t)0x10;
#else
        return *(const uint64_t *)state < 100;
#endif
}

static int64_t apply(void *state, void *none, const struct heddle_call *call)
{
        uint64_t *s = state;

        (void)none;
        calls++;
#if BREAK == 2 /* not a function of the state */
        *s += (uint64_t)calls;
#elif BREAK == 3 /* declared to commute, and does not */
        *s = *s * 2 + call->thread;
#elif BREAK == 4 /* the result tells */
        return (int64_t)(*s)++;
#else
        (*s)++;
#endif
        (void)call;
        return 0;
}

static bool dependent(const struct heddle_call *a, const struct heddle_call *b)
{
#if BREAK == 5 /* not symmetric */
        return a->thread < b->thread;
#else
        (void)a, (void)b;
        return false;
#endif
}

static const struct heddle_kind kind = {.name = "counter", .size = 8};
static const struct heddle_op ops[] = {
        {.name = "count", .kind = &kind, .enabled = enabled, .apply = apply, .dependent = dependent,
#if BREAK == 6 /* a read that writes */
         .mode = HEDDLE_READ,
#endif
        },
};
#if BREAK == 9
const struct heddle_plugin heddle_plugin = {HEDDLE_OP_ABI + 1, 1, ops, "broken"};
#elif BREAK == 10
int heddle_no_plugin;
#else
HEDDLE_PLUGIN("broken", ops);
#endif

void count(void *object);
void count(void *object)
{
        heddle_op_perform(&ops[0], object, NULL, 0);
}
