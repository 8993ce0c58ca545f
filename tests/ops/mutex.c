/* The mutex once more, as a plugin: every count must be that of the built-in one. */
#include <heddle/op.h>

struct state {
        uint32_t owner; /* thread + 1 */
};

static bool is_free(const void *state, const struct heddle_call *call)
{
        (void)call;
        return ((const struct state *)state)->owner == 0;
}

static int64_t take(void *state, void *other, const struct heddle_call *call)
{
        (void)other;
        ((struct state *)state)->owner = call->thread + 1;
        return 0;
}

static int64_t try(void *state, void *other, const struct heddle_call *call)
{
        return is_free(state, call) ? take(state, other, call) : 16;
}

static int64_t drop(void *state, void *other, const struct heddle_call *call)
{
        (void)other;
        (void)call;
        ((struct state *)state)->owner = 0;
        return 0;
}

static const struct heddle_kind kind = {.name = "my mutex", .size = sizeof(struct state)};
static const struct heddle_op ops[] = {
        {.name = "my lock", .kind = &kind, .enabled = is_free, .apply = take},
        {.name = "my trylock", .kind = &kind, .apply = try},
        {.name = "my unlock", .kind = &kind, .apply = drop},
};
HEDDLE_PLUGIN("mutex", ops);

int my_lock(void *m);
int my_trylock(void *m);
int my_unlock(void *m);

int my_lock(void *m)
{
        return (int)heddle_op_perform(&ops[0], m, NULL, 0);
}

int my_trylock(void *m)
{
        return (int)heddle_op_perform(&ops[1], m, NULL, 0);
}

int my_unlock(void *m)
{
        return (int)heddle_op_perform(&ops[2], m, NULL, 0);
}
