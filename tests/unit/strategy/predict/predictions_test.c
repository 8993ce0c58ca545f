/*
 * Predictions from traces written by hand: what each kind is predicted from, and what keeps it from being predicted.
 */
#include "strategy/predict/conflicts.h"
#include "strategy/predict/cycles.h"
#include "strategy/predict/postpone.h"

#include <string.h>

#include "../../events.h"

enum { M = LOCK, L = LOCK + 8, G = LOCK + 16, C = LOCK + 24 };

struct line {
        uint32_t actor, op;
        uint64_t obj;
};

static struct model model;
static struct pairs pairs;
static struct forecasts forecasts;
static struct index_map known;
static struct conflicts conflicts;
static struct cycles cycles;
static struct prediction_figures figures;
static struct wire_event events[64];
static uint64_t before[64];
static bool same_sites; /* equal lines are one source location; else each is one of its own */

/* A trace of these, up to one without an operation. */
static void read_lines(const struct line *lines, uint32_t window)
{
        static struct trace t; /* the model keeps it */
        uint32_t n = 0;

        for (; lines[n].op; n++) {
                struct wire_event *e = &events[n];

                *e = event(lines[n].actor, lines[n].op, lines[n].obj);
                e->site = 1000 + n;
                for (uint32_t i = n; same_sites && i--;)
                        if (lines[i].actor == e->actor && lines[i].op == e->op && lines[i].obj == e->obj)
                                e->site = 1000 + i;
                e->value = 0x10000;
                e->flags |= op_has(e->op, OPF_ATOMIC) ? WIRE_EV_ATOMIC : 0;
                if (e->op == OP_CREATE || e->op == OP_JOIN || e->op == OP_WAKE) {
                        e->choice = (uint32_t)e->obj;
                        e->obj = WIRE_OBJ_THREAD(e->choice);
                }
                if (e->op == OP_WAKE) {
                        e->flags = 0;
                        e->mode = WIRE_MODE_NONE;
                }
                if (op_object(e->op) == OP_OBJ_MUTEX)
                        e->value = 0;
                before[n] = 1;
        }
        t = trace_of(events, n, 4);
        t.before = before;
        pairs_reset(&pairs);
        forecasts_reset(&forecasts);
        index_map_clear(&known);
        conflicts.window = cycles.window = window;
        CHECK(model_read(&model, &t));
        conflicts_read(&conflicts, &model);
        cycles_read(&cycles, &model);
        figures = forecasts.figures;
        pairs_count(&pairs, &figures);
}

static uint64_t predicted(enum prediction_kind kind, const struct line *lines)
{
        read_lines(lines, 0);
        return figures.predicted[kind];
}

/* The first prediction, as actors. */
static void expect_schedule(const char *actors)
{
        struct forecast f;

        CHECK(forecasts_take_failing(&forecasts, &f));
        CHECK(f.n == strlen(actors));
        for (uint32_t i = 0; i < f.n; i++)
                CHECK(f.decisions[i].actor == (uint32_t)(actors[i] - '0'));
        free(f.decisions);
}

static void races(void)
{
        static const struct line sections[] = {{1, OP_WRITE, X},
                                               {1, OP_MUTEX_LOCK, M},
                                               {1, OP_MUTEX_UNLOCK, M},
                                               {2, OP_MUTEX_LOCK, M},
                                               {2, OP_MUTEX_UNLOCK, M},
                                               {2, OP_WRITE, X},
                                               {0}};
        static const struct line same_lock[] = {{1, OP_MUTEX_LOCK, M},
                                                {1, OP_WRITE, X},
                                                {1, OP_MUTEX_UNLOCK, M},
                                                {2, OP_MUTEX_LOCK, M},
                                                {2, OP_WRITE, X},
                                                {2, OP_MUTEX_UNLOCK, M},
                                                {0}};
        static const struct line read_from[] = {
                {1, OP_WRITE, X}, {1, OP_WRITE, Y}, {2, OP_READ, Y}, {2, OP_WRITE, X}, {0}};
        static const struct line overwritten[] = {{1, OP_WRITE, X}, {1, OP_WRITE, Y}, {3, OP_WRITE, Y},
                                                  {2, OP_READ, Y},  {2, OP_WRITE, X}, {0}};
        static const struct line carried[] = {{1, OP_WRITE, X},        {1, OP_MUTEX_LOCK, M}, {1, OP_WRITE, Y},
                                              {1, OP_MUTEX_UNLOCK, M}, {2, OP_MUTEX_LOCK, M}, {2, OP_READ, Y},
                                              {2, OP_MUTEX_UNLOCK, M}, {2, OP_WRITE, X},      {0}};
        static const struct line open_section[] = {{1, OP_MUTEX_LOCK, M}, {1, OP_WRITE, Y}, {2, OP_READ, Y},
                                                   {1, OP_WRITE, X},      {2, OP_WRITE, X}, {0}};

        CHECK(predicted(PREDICT_RACE, sections) == 1); /* happens-before has an order here */
        expect_schedule("2221");                       /* locks, unlocks, and the two writes, the later one first */
        CHECK(predicted(PREDICT_RACE, same_lock) == 0);
        CHECK(figures.predicted[PREDICT_ORDER] == 1 && figures.open == 1);
        CHECK(predicted(PREDICT_RACE, read_from) == 1); /* on Y */
        CHECK(figures.impossible == 1 && figures.open == 1);
        CHECK(predicted(PREDICT_RACE, overwritten) == 4);
        CHECK(predicted(PREDICT_RACE, carried) == 0);
        CHECK(predicted(PREDICT_RACE, open_section) == 2);
}

/* The next guess about a section, as actors. */
static void expect_guess(const char *actors)
{
        struct forecast f;

        CHECK(forecasts_take(&forecasts, QUEUE_SECTIONS, &f));
        CHECK(f.kind == PREDICTION_KINDS && f.n == strlen(actors));
        for (uint32_t i = 0; i < f.n; i++)
                CHECK(f.decisions[i].actor == (uint32_t)(actors[i] - '0'));
        free(f.decisions);
}

static void sections(void)
{
        static const struct line lines[] = {{1, OP_MUTEX_LOCK, M},   {1, OP_WRITE, X}, {1, OP_MUTEX_UNLOCK, M},
                                            {2, OP_MUTEX_LOCK, M},   {2, OP_WRITE, X}, {2, OP_WRITE, Y},
                                            {2, OP_MUTEX_UNLOCK, M}, {3, OP_WRITE, Z}, {0}};
        struct postpone p = {.forecasts = &forecasts, .known = &known};
        struct forecast f;

        read_lines(lines, 0);
        postpone_read(&p, &model);
        expect_guess("1113"); /* that with two writes waits for what comes after it */
        expect_guess("32222");
        postpone_read(&p, &model); /* each once */
        CHECK(!forecasts_take(&forecasts, QUEUE_SECTIONS, &f));
        postpone_fini(&p);
}

static void threads(void)
{
        static const struct line made[] = {{0, OP_WRITE, X},
                                           {0, OP_CREATE, 1},
                                           {1, OP_WRITE, X},
                                           {1, OP_END, 8},
                                           {0, OP_JOIN, 1},
                                           {0, OP_WRITE, X},
                                           {0}};
        static const struct line beside[] = {
                {0, OP_CREATE, 1}, {0, OP_WRITE, X}, {1, OP_WRITE, X}, {0, OP_JOIN, 1}, {0}};
        static const struct line posted[] = {
                {1, OP_WRITE, X}, {1, OP_SEM_POST, L}, {2, OP_SEM_WAIT, L}, {2, OP_WRITE, X}, {0}};
        static const struct line woken[] = {{1, OP_WRITE, Y}, {2, OP_WRITE, X}, {2, OP_COND_SIGNAL, C},
                                            {2, OP_WAKE, 1},  {1, OP_WRITE, X}, {0}};

        CHECK(predicted(PREDICT_RACE, made) == 0);
        CHECK(figures.impossible == 2 && figures.open == 0 && figures.both == 0);
        CHECK(predicted(PREDICT_RACE, beside) == 1);
        CHECK(predicted(PREDICT_RACE, posted) == 0);
        CHECK(predicted(PREDICT_RACE, woken) == 0);
}

static void distances(void)
{
        static const struct line apart[] = {{1, OP_WRITE, X}, {1, OP_READ, Y}, {2, OP_READ, Y}, {2, OP_WRITE, X}, {0}};

        read_lines(apart, 3);
        CHECK(figures.predicted[PREDICT_RACE] == 1);
        read_lines(apart, 2);
        CHECK(figures.predicted[PREDICT_RACE] == 0);
        CHECK(figures.open == 1); /* not considered, so not impossible */
}

/* The first of several accesses, or acquires, from one source location is not the one that can come later. */
static void repeated(void)
{
        static const struct line writes[] = {{1, OP_WRITE, X}, {1, OP_WRITE, Y}, {2, OP_READ, Y},
                                             {1, OP_WRITE, X}, {2, OP_WRITE, X}, {0}};
        static const struct line locks[] = {{1, OP_MUTEX_LOCK, M},   {1, OP_MUTEX_LOCK, L},   {1, OP_MUTEX_UNLOCK, L},
                                            {1, OP_MUTEX_UNLOCK, M}, {1, OP_WRITE, X},        {2, OP_READ, X},
                                            {1, OP_MUTEX_LOCK, M},   {1, OP_MUTEX_LOCK, L},   {1, OP_MUTEX_UNLOCK, L},
                                            {1, OP_MUTEX_UNLOCK, M}, {2, OP_MUTEX_LOCK, L},   {2, OP_MUTEX_LOCK, M},
                                            {2, OP_MUTEX_UNLOCK, M}, {2, OP_MUTEX_UNLOCK, L}, {0}};

        same_sites = true;
        CHECK(predicted(PREDICT_DEADLOCK, locks) == 1);
        CHECK(predicted(PREDICT_RACE, writes) == 2);
        same_sites = false;
        expect_schedule("121"); /* on Y, then on X */
        expect_schedule("11221");
}

static void deadlocks(void)
{
        static const struct line inverse[] = {{1, OP_MUTEX_LOCK, M},   {1, OP_MUTEX_LOCK, L},   {1, OP_MUTEX_UNLOCK, L},
                                              {1, OP_MUTEX_UNLOCK, M}, {2, OP_MUTEX_LOCK, L},   {2, OP_MUTEX_LOCK, M},
                                              {2, OP_MUTEX_UNLOCK, M}, {2, OP_MUTEX_UNLOCK, L}, {0}};
        static const struct line guarded[] = {{1, OP_MUTEX_LOCK, G},
                                              {1, OP_MUTEX_LOCK, M},
                                              {1, OP_MUTEX_LOCK, L},
                                              {1, OP_MUTEX_UNLOCK, L},
                                              {1, OP_MUTEX_UNLOCK, M},
                                              {1, OP_MUTEX_UNLOCK, G},
                                              {2, OP_MUTEX_LOCK, G},
                                              {2, OP_MUTEX_LOCK, L},
                                              {2, OP_MUTEX_LOCK, M},
                                              {2, OP_MUTEX_UNLOCK, M},
                                              {2, OP_MUTEX_UNLOCK, L},
                                              {2, OP_MUTEX_UNLOCK, G},
                                              {0}};
        static const struct line ordered[] = {{1, OP_MUTEX_LOCK, M},
                                              {1, OP_MUTEX_LOCK, L},
                                              {1, OP_WRITE, X},
                                              {1, OP_MUTEX_UNLOCK, L},
                                              {1, OP_MUTEX_UNLOCK, M},
                                              {2, OP_READ, X},
                                              {2, OP_MUTEX_LOCK, L},
                                              {2, OP_MUTEX_LOCK, M},
                                              {2, OP_MUTEX_UNLOCK, M},
                                              {2, OP_MUTEX_UNLOCK, L},
                                              {0}};
        static const struct line tried[] = {{1, OP_MUTEX_LOCK, M},   {1, OP_MUTEX_LOCK, L},   {1, OP_MUTEX_UNLOCK, L},
                                            {1, OP_MUTEX_UNLOCK, M}, {2, OP_MUTEX_LOCK, L},   {2, OP_MUTEX_TRYLOCK, M},
                                            {2, OP_MUTEX_UNLOCK, M}, {2, OP_MUTEX_UNLOCK, L}, {0}};
        static const struct line three[] = {{1, OP_MUTEX_LOCK, M},
                                            {1, OP_MUTEX_LOCK, L},
                                            {1, OP_MUTEX_UNLOCK, L},
                                            {1, OP_MUTEX_UNLOCK, M},
                                            {2, OP_MUTEX_LOCK, L},
                                            {2, OP_MUTEX_LOCK, G},
                                            {2, OP_MUTEX_UNLOCK, G},
                                            {2, OP_MUTEX_UNLOCK, L},
                                            {3, OP_MUTEX_LOCK, G},
                                            {3, OP_MUTEX_LOCK, M},
                                            {3, OP_MUTEX_UNLOCK, M},
                                            {3, OP_MUTEX_UNLOCK, G},
                                            {0}};

        CHECK(predicted(PREDICT_DEADLOCK, inverse) == 1);
        expect_schedule("12");
        read_lines(inverse, 3);
        CHECK(figures.predicted[PREDICT_DEADLOCK] == 0);
        CHECK(predicted(PREDICT_DEADLOCK, guarded) == 0);
        CHECK(predicted(PREDICT_DEADLOCK, ordered) == 0);
        CHECK(predicted(PREDICT_DEADLOCK, tried) == 0);
        CHECK(predicted(PREDICT_DEADLOCK, three) == 1);
        expect_schedule("123");
}

static void others(void)
{
        static const struct line unlocked[] = {{1, OP_COND_WAIT, C}, {2, OP_COND_SIGNAL, C}, {0}};
        static const struct line locked[] = {{1, OP_MUTEX_LOCK, M},
                                             {1, OP_COND_WAIT, C},
                                             {1, OP_MUTEX_UNLOCK, M},
                                             {2, OP_MUTEX_LOCK, M},
                                             {2, OP_COND_SIGNAL, C},
                                             {2, OP_MUTEX_UNLOCK, M},
                                             {0}};
        static const struct line used[] = {{1, OP_MUTEX_LOCK, M},
                                           {1, OP_READ, X},
                                           {1, OP_MUTEX_UNLOCK, M},
                                           {2, OP_MUTEX_LOCK, M},
                                           {2, OP_FREE, X},
                                           {2, OP_MUTEX_UNLOCK, M},
                                           {0}};
        static const struct line set[] = {{1, OP_STORE, X}, {2, OP_LOAD, X}, {0}};
        static const struct line acts[] = {{1, OP_MUTEX_LOCK, M},   {1, OP_READ, X},
                                           {1, OP_MUTEX_UNLOCK, M}, {1, OP_MUTEX_LOCK, M},
                                           {1, OP_WRITE, X},        {1, OP_MUTEX_UNLOCK, M},
                                           {2, OP_MUTEX_LOCK, M},   {2, OP_WRITE, X},
                                           {2, OP_MUTEX_UNLOCK, M}, {0}};
        static const struct line acts_once[] = {
                {1, OP_MUTEX_LOCK, M}, {1, OP_READ, X},  {1, OP_WRITE, X},        {1, OP_MUTEX_UNLOCK, M},
                {2, OP_MUTEX_LOCK, M}, {2, OP_WRITE, X}, {2, OP_MUTEX_UNLOCK, M}, {0}};

        static const struct line blind[] = {{1, OP_MUTEX_LOCK, M},   {1, OP_WRITE, X},
                                            {1, OP_MUTEX_UNLOCK, M}, {1, OP_MUTEX_LOCK, M},
                                            {1, OP_WRITE, X},        {1, OP_MUTEX_UNLOCK, M},
                                            {2, OP_MUTEX_LOCK, M},   {2, OP_WRITE, X},
                                            {2, OP_MUTEX_UNLOCK, M}, {0}};

        CHECK(predicted(PREDICT_WAKEUP, unlocked) == 1);
        expect_schedule("21");
        CHECK(predicted(PREDICT_WAKEUP, locked) == 0);
        CHECK(predicted(PREDICT_FREED, used) == 1);
        expect_schedule("22");
        CHECK(predicted(PREDICT_NULL, set) == 0);
        CHECK(predicted(PREDICT_ATOMICITY, acts) == 1);
        expect_schedule("11122");
        CHECK(predicted(PREDICT_ATOMICITY, acts_once) == 0);
        CHECK(predicted(PREDICT_ATOMICITY, blind) == 0);
}

/* The first of two writes is seen, where the second one can wait; in sections, too. */
static void reads(void)
{
        static const struct line plain[] = {{1, OP_STORE, X}, {1, OP_STORE, X}, {2, OP_LOAD, X}, {0}};
        static const struct line sections[] = {{1, OP_MUTEX_LOCK, M},   {1, OP_WRITE, X},
                                               {1, OP_MUTEX_UNLOCK, M}, {1, OP_MUTEX_LOCK, M},
                                               {1, OP_WRITE, X},        {1, OP_MUTEX_UNLOCK, M},
                                               {2, OP_MUTEX_LOCK, M},   {2, OP_READ, X},
                                               {2, OP_MUTEX_UNLOCK, M}, {0}};
        struct forecast f;

        CHECK(predicted(PREDICT_READ, plain) == 1);
        CHECK(predicted(PREDICT_READ, sections) == 1);
        for (;;) {
                CHECK(forecasts_take(&forecasts, QUEUE_ORDERS, &f));
                if (f.kind == PREDICT_READ)
                        break;
                free(f.decisions);
        }
        CHECK(f.n == 5 && f.decisions[2].actor == 1 && f.decisions[3].actor == 2);
        CHECK(f.site[0] == 1001 && f.site[1] == 1007);
        free(f.decisions);
}

/* A pointer that was 0 is read before it is set. */
static void null_pointers(void)
{
        struct wire_event e[] = {event(1, OP_STORE, X), event(2, OP_LOAD, X)};
        uint64_t was[] = {0, 0x10000};
        struct trace t = trace_of(e, 2, 3);

        e[0].flags |= WIRE_EV_ATOMIC;
        e[1].flags |= WIRE_EV_ATOMIC;
        e[0].site = 1;
        e[1].site = 2;
        e[1].value = 0x10000;
        t.before = was;
        pairs_reset(&pairs);
        forecasts_reset(&forecasts);
        CHECK(model_read(&model, &t));
        conflicts_read(&conflicts, &model);
        CHECK(forecasts.figures.predicted[PREDICT_NULL] == 1);
        expect_schedule("2");
}

int main(void)
{
        conflicts.pairs = &pairs;
        conflicts.forecasts = cycles.forecasts = &forecasts;
        conflicts.known = cycles.known = &known;
        races();
        threads();
        sections();
        distances();
        repeated();
        deadlocks();
        others();
        reads();
        null_pointers();
        forecasts_fini(&forecasts);
        pairs_fini(&pairs);
        index_map_fini(&known);
        model_fini(&model);
        conflicts_fini(&conflicts);
        cycles_fini(&cycles);
        return 0;
}
