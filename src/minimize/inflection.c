/*
 * The inflection point: how much of a failing execution must have happened so that nothing can save it.
 *
 * After more decisions fewer executions are possible, so certainty is monotone in their number and is found by halving.
 * Whether it is certain after n decisions is asked of dpor over all executions that begin with them: each class of
 * equivalent continuations is run once, until one does not fail.  A few random continuations are tried first, because
 * where it is not certain one of them mostly shows it.  An execution that is cut at a limit counts as one that does not
 * fail; one cut by an assumption counts as none.
 */
#include "minimize/inflection.h"

#include "base/clock.h"
#include "base/deadline.h"
#include "strategy/dpor/dpor.h"

#define LOOKS 16u

enum certain { CERTAIN_NO, CERTAIN_YES, CERTAIN_UNKNOWN };

static enum certain look(struct quest *q, const struct plan *p, uint32_t n)
{
        uint32_t failure;

        for (uint32_t i = 0; i < LOOKS; i++) {
                enum quest_answer a =
                        quest_follow(q, p->steps.at, n, 0, WIRE_TAIL_RANDOM, i * UINT64_C(0x9e3779b9) + 1, &failure);
                if (a == QUEST_STOP)
                        return CERTAIN_UNKNOWN;
                if (a == QUEST_ENDED)
                        return CERTAIN_NO;
        }
        return CERTAIN_YES; /* as it seems */
}

static enum certain verify(struct quest *q, const struct plan *p, uint32_t n)
{
        struct strategy *s = dpor_create_from(p->steps.at, n);
        enum certain answer = CERTAIN_YES;
        uint32_t failure;
        int more = s ? 1 : -1;

        while (more > 0 && answer == CERTAIN_YES) {
                more = strategy_next(s, &q->run->schedule, clock_now());
                if (more <= 0)
                        break;
                enum quest_answer a = quest_run(q, q->run->schedule.known, &failure);
                if (a == QUEST_ENDED)
                        answer = CERTAIN_NO;
                else if (a == QUEST_STOP || s->ops->learn(s, &q->run->trace) < 0 || late_reported())
                        answer = CERTAIN_UNKNOWN;
        }
        if (s)
                s->ops->destroy(s);
        return more < 0 ? CERTAIN_UNKNOWN : answer;
}

uint32_t inflection_find(struct quest *q, const struct plan *p)
{
        uint32_t low = 0, high = p->steps.n; /* not certain before low, certain from high on */

        while (low < high) {
                uint32_t mid = low + (high - low) / 2;
                enum certain c = look(q, p, mid);

                if (c == CERTAIN_YES)
                        c = verify(q, p, mid);
                if (c == CERTAIN_UNKNOWN)
                        return UINT32_MAX;
                if (c == CERTAIN_YES)
                        high = mid;
                else
                        low = mid + 1;
        }
        return high;
}
