/*
 * Calls that are not modelled yet are refused with their name, never run wild; outside `check` they go through.
 *
 * Each is an entry that knows no types (x86_64/untyped.h) and asks refuse_target() where to continue.
 */
#include "rt/arch/x86_64/untyped.h"
#include "rt/fault.h"
#include "rt/real.h"
#include "rt/rt.h"

/* The data of an entry. */
struct refused {
        void *real;  /* looked up at the first call outside `check` */
        char name[]; /* then, after its end, what to do instead */
};

static void refuse(const char *name)
{
        char text[WIRE_TEXT];
        const char *hint = name;
        size_t n = 0;

        while (*hint)
                text[n++] = *hint++;
        if (*++hint) {
                text[n++] = ' ';
                text[n++] = '(';
                while (*hint && n < sizeof text - 2)
                        text[n++] = *hint++;
                text[n++] = ')';
        }
        text[n] = 0;
        rt_refuse(text);
}

/* Called by refuse_enter only.  Returns the real function; in `check`, not at all. */
void *refuse_target(struct refused *r) __attribute__((visibility("hidden"), used));
void *refuse_target(struct refused *r)
{
        if (rt_on())
                refuse(r->name);
        if (!r->real)
                r->real = rt_real(r->name);
        return r->real;
}

#define REFUSE(name)            REFUSE_HINT(name, "")
#define REFUSE_HINT(name, hint) UNTYPED_ENTRY(name, refuse_enter, ".asciz \"" #name "\"\n.asciz \"" hint "\"\n")
#include "rt/calls/refuse.def"
