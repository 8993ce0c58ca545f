/*
 * What is not watched, and is reported once it takes part.  It does no harm while one thread is alone.
 */
#include "rt/arch/x86_64/unseen.h"

#include "rt/notes.h"
#include "rt/rt.h"
#include "rt/sched/end.h"
#include "rt/thread/thread.h"
#include "rt/threads.h"
#include "wire/locked.h"

void unseen_report(const struct wire_locked *l)
{
        const char *text = rt.down->unseen[(uint64_t)l->immediate % WIRE_MAX_UNSEEN];

        if (l->plain) {
                if (thread_has_others(rt_cur))
                        rt_note_incomplete(l->slot ? REASON_CALLED : REASON_INSTRUCTION, text);
                return;
        }
        if (l->writes)
                exec_end_text(WIRE_END_UNSUPPORTED, 0, text);
        rt_note_incomplete(REASON_INSTRUCTION, text);
}

void unseen_module(const struct wire_locked *l)
{
        static bool noted[WIRE_MAX_UNSEEN];
        uint32_t text = (l->foreign - 1u) % WIRE_MAX_UNSEEN;

        if (noted[text] || !thread_has_others(rt_cur))
                return;
        noted[text] = true;
        rt_note_incomplete(REASON_ACCESSES, rt.down->unseen[text]);
}
