/*
 * Functions of libc that allocate what they give to the program: the block is known by the call of the program, not by
 * the one inside libc.
 */
#include <stdarg.h>
#include <stdio.h>

#include "rt/core.h"
#include "rt/spin.h"
#include "rt/stream.h"

/* The result of a call during which blocks count as allocated at `site`. */
#define PROVIDE(site, call)                                   \
        ({                                                    \
                struct thread *t_ = rt_cur;                   \
                uintptr_t was_ = t_ ? t_->allocates : 0;      \
                if (t_)                                       \
                        t_->allocates = was_ ? was_ : (site); \
                __auto_type r_ = (call);                      \
                if (t_)                                       \
                        t_->allocates = was_;                 \
                r_;                                           \
        })

static void reads(FILE *f, uintptr_t site)
{
        if (!rt_cur)
                return;
        stream_use(rt_cur, f, site);
        input_stream(f, site);
}

RT_EXPORT ssize_t getdelim(char **line, size_t *n, int end, FILE *f)
{
        reads(f, RT_SITE());
        return PROVIDE(RT_SITE(), RT_REAL(getdelim)(line, n, end, f));
}

RT_EXPORT ssize_t __getdelim(char **line, size_t *n, int end, FILE *f);
ssize_t __getdelim(char **line, size_t *n, int end, FILE *f)
{
        reads(f, RT_SITE());
        return PROVIDE(RT_SITE(), RT_REAL(getdelim)(line, n, end, f));
}

/* stdio.h may have an inline definition of that name. */
RT_EXPORT ssize_t provide_line(char **line, size_t *n, FILE *f) __asm__("getline");
ssize_t provide_line(char **line, size_t *n, FILE *f)
{
        reads(f, RT_SITE());
        return PROVIDE(RT_SITE(), RT_REAL(getdelim)(line, n, '\n', f));
}

RT_EXPORT int vasprintf(char **text, const char *format, va_list ap)
{
        return PROVIDE(RT_SITE(), RT_REAL(vasprintf)(text, format, ap));
}

RT_EXPORT int asprintf(char **text, const char *format, ...)
{
        va_list ap;
        int n;

        va_start(ap, format);
        n = PROVIDE(RT_SITE(), RT_REAL(vasprintf)(text, format, ap));
        va_end(ap);
        return n;
}

RT_EXPORT int __vasprintf_chk(char **text, int flag, const char *format, va_list ap);
int __vasprintf_chk(char **text, int flag, const char *format, va_list ap)
{
        return PROVIDE(RT_SITE(), RT_REAL(__vasprintf_chk)(text, flag, format, ap));
}

RT_EXPORT int __asprintf_chk(char **text, int flag, const char *format, ...);
int __asprintf_chk(char **text, int flag, const char *format, ...)
{
        va_list ap;
        int n;

        va_start(ap, format);
        n = PROVIDE(RT_SITE(), RT_REAL(__vasprintf_chk)(text, flag, format, ap));
        va_end(ap);
        return n;
}
