/* The semaphore as a plugin: waits that get a token commute with waits, posts with posts; its counts are those of the built-in one. */
#include <heddle/op.h>

static bool has_token(const void *state, const struct heddle_call *call)
{
        (void)call;
        return *(const int64_t *)state > 0;
}

static int64_t take(void *state, void *none, const struct heddle_call *call)
{
        (void)none, (void)call;
        --*(int64_t *)state;
        return 0;
}

static int64_t try(void *state, void *none, const struct heddle_call *call)
{
        return has_token(state, call) ? take(state, none, call) : -1;
}

static int64_t give(void *state, void *none, const struct heddle_call *call)
{
        (void)none, (void)call;
        ++*(int64_t *)state;
        return 0;
}

static int64_t set(void *state, void *none, const struct heddle_call *call)
{
        (void)none;
        *(int64_t *)state = (int64_t)call->arg;
        return 0;
}

static bool different(const struct heddle_call *a, const struct heddle_call *b)
{
        bool a_gives = a->op->apply == give, b_gives = b->op->apply == give;

        return a->op->apply == set || b->op->apply == set || a->result < 0 || b->result < 0 || a_gives != b_gives;
}

static const struct heddle_kind kind = {.name = "semaphore", .size = sizeof(int64_t)};
static const struct heddle_op ops[] = {
        {.name = "my wait", .kind = &kind, .enabled = has_token, .apply = take, .dependent = different},
        {.name = "my trywait", .kind = &kind, .apply = try, .dependent = different},
        {.name = "my post", .kind = &kind, .apply = give, .dependent = different},
        {.name = "my init", .kind = &kind, .apply = set, .dependent = different},
};
HEDDLE_PLUGIN("sem", ops);

int my_sem_wait(void *s);
int my_sem_trywait(void *s);
int my_sem_post(void *s);
int my_sem_init(void *s, int shared, unsigned value);

int my_sem_wait(void *s)
{
        return (int)heddle_op_perform(&ops[0], s, NULL, 0);
}

int my_sem_trywait(void *s)
{
        return (int)heddle_op_perform(&ops[1], s, NULL, 0);
}

int my_sem_post(void *s)
{
        return (int)heddle_op_perform(&ops[2], s, NULL, 0);
}

int my_sem_init(void *s, int shared, unsigned value)
{
        (void)shared;
        return (int)heddle_op_perform(&ops[3], s, NULL, value);
}
