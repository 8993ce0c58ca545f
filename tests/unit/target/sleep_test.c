/*
 * Sleep sets in the target: a run ends at the first state in which every enabled actor sleeps, not a transition later,
 * and a conflicting access wakes.  Driven through the wire, with a program built by `heddle cc`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "target/target.h"
#include "op/op.h"

#define CHECK(c)                                                                \
        do {                                                                    \
                if (!(c)) {                                                     \
                        fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #c); \
                        failed = 1;                                             \
                }                                                               \
        } while (0)

static int failed;

static const char source[] = "#include <pthread.h>\n"
                             "int x, y, a, b;\n"
                             "static void *one(void *p) { x = 1; return p; }\n"
                             "static void *two(void *p) { y = 1; return p; }\n"
                             "int main(void) {\n"
                             "  pthread_t s, t;\n"
                             "  pthread_create(&s, 0, one, 0);\n"
                             "  pthread_create(&t, 0, two, 0);\n"
                             "  a = x; b = y;\n"
                             "  pthread_join(s, 0);\n"
                             "  pthread_join(t, 0);\n"
                             "}\n";

static void run(struct target *t, uint32_t n_prefix, uint32_t n_sleep)
{
        t->down->command = WIRE_RUN;
        t->down->n_prefix = n_prefix;
        t->down->n_last = 1;
        t->down->n_sleep = n_sleep;
        CHECK(target_run(t) == TARGET_OK);
}

/* What x and y are, learnt from an undisturbed run: main reads x, then y. */
static void learn(struct target *t, uint64_t *x, uint64_t *y)
{
        uint32_t n = 0;
        uint64_t seen[2] = {0, 0};

        run(t, 0, 0);
        CHECK(t->up->n_new_shared > 0 && t->up->n_new_shared < 16);
        memcpy(t->down->shared, t->up->new_shared, t->up->n_new_shared * sizeof(uint64_t));
        t->down->n_shared = t->up->n_new_shared;
        run(t, 0, 0);
        CHECK(t->up->end == WIRE_END_DONE && t->up->n_new_shared == 0);
        for (uint32_t i = 0; i < t->up->n_events && n < 2; i++)
                if (t->up->events[i].actor == 0 && t->up->events[i].op == OP_READ)
                        seen[n++] = t->up->events[i].obj;
        *x = seen[0];
        *y = seen[1];
        CHECK(n == 2);
}

static void put_to_sleep(struct target *t, uint32_t k, uint32_t actor, uint64_t obj, uint32_t mode)
{
        t->down->footprint[k] = (struct wire_access){.obj = obj, .size = 4, .mode = mode};
        t->down->sleep[k] = (struct wire_sleep){.actor = (uint16_t)actor, .first = k, .count = 1};
}

static void cases(struct target *t)
{
        uint64_t x, y;

        learn(t, &x, &y);
        t->down->prefix[0] = (struct wire_decision){.actor = 2, .choice = WIRE_NO_CHOICE};
        put_to_sleep(t, 0, 0, x, WIRE_MODE_READ);
        put_to_sleep(t, 1, 1, x, WIRE_MODE_WRITE);
        run(t, 1, 2);
        CHECK(t->up->end == WIRE_END_SLEEP && t->up->n_transitions == 1);

        put_to_sleep(t, 0, 1, x, WIRE_MODE_WRITE); /* main is awake: its read of x wakes the writer */
        run(t, 1, 1);
        CHECK(t->up->end == WIRE_END_DONE);

        t->down->prefix[0].actor = 1;
        put_to_sleep(t, 0, 0, x, WIRE_MODE_READ); /* the transition itself wakes main */
        run(t, 1, 1);
        CHECK(t->up->end == WIRE_END_DONE);
}

int main(void)
{
        const char *heddle = getenv("HEDDLE") ? getenv("HEDDLE") : "build/heddle";
        char dir[] = "/tmp/heddle-sleep-XXXXXX", command[1024], program[64], runtime[512];
        char *args[] = {program, NULL};
        struct config config = {.program = program, .argv = args, .runtime = runtime, .loop_seconds = 20};
        struct target t;
        FILE *f;

        CHECK(mkdtemp(dir) != NULL);
        snprintf(program, sizeof program, "%s/p", dir);
        snprintf(command, sizeof command, "%s/p.c", dir);
        f = fopen(command, "w");
        CHECK(f && fputs(source, f) >= 0 && fclose(f) == 0);
        snprintf(command, sizeof command, "%s cc -O0 -g %s/p.c -o %s", heddle, dir, program);
        CHECK(system(command) == 0);
        snprintf(runtime, sizeof runtime, "%.*s/libheddle-rt.so", (int)(strrchr(heddle, '/') - heddle), heddle);
        CHECK(target_init(&t, &config) == TARGET_OK);
        t.pool = 8;
        CHECK(target_start(&t) == TARGET_OK);
        if (!failed)
                cases(&t);
        target_fini(&t);
        snprintf(command, sizeof command, "rm -rf %s", dir);
        CHECK(system(command) == 0);
        printf("%s sleep\n", failed ? "FAIL" : "PASS");
        return failed;
}
