/*
 * Exceptions of C++ by its ABI (Itanium C++ ABI: exception handling, and the layout of type_info), without its library: a
 * throw passes here and is noted.  what() is the program's code; it runs without a thread, so its accesses are not entries.
 */
#include "rt/calls/exception.h"

#include <dlfcn.h>

#include "rt/position.h"
#include "rt/real.h"
#include "rt/threads.h"
#include "rt/util.h"

#define SLOT_DO_CATCH 4 /* in the table of a type_info: bool (const type_info *thrown, void **object, unsigned) */
#define SLOT_WHAT     2 /* in that of a std::exception */

struct thrown {
        void *object;
        const void *type;
        uintptr_t site;
};

static struct thrown thrown[WIRE_MAX_THREADS];

RT_EXPORT _Noreturn void __cxa_throw(void *object, void *type, void (*destroy)(void *));
void __cxa_throw(void *object, void *type, void (*destroy)(void *))
{
        static void (*real)(void *, void *, void (*)(void *));

        if (rt_cur)
                thrown[rt_cur->id] = (struct thrown){object, type, RT_SITE()};
        if (!real)
                real = rt_real("__cxa_throw");
        real(object, type, destroy);
        __builtin_unreachable();
}

/* what() of an exception derived from std::exception; NULL: it is another one. */
static const char *what_of(const struct thrown *x)
{
        const void *base = dlsym(RTLD_DEFAULT, "_ZTISt9exception");
        bool (*catches)(const void *, const void *, void **, unsigned);
        const char *(*what)(const void *);
        void *object = x->object;

        if (!base)
                return NULL;
        catches = (*(bool (*const *const *)(const void *, const void *, void **, unsigned))base)[SLOT_DO_CATCH];
        if (!catches(base, x->type, &object, 1))
                return NULL;
        what = (*(const char *(*const *const *)(const void *))object)[SLOT_WHAT];
        return what(object);
}

bool exception_tell(char *text, uintptr_t *site)
{
        const void *const *(*current)(void);
        struct thread *t = rt_cur;
        const struct thrown *x = &thrown[t->id];
        const char *name, *what = NULL;

        *(void **)&current = dlsym(RTLD_DEFAULT, "__cxa_current_exception_type");
        const void *const *type = current ? current() : NULL;
        if (!type)
                return false;
        name = type[1]; /* behind the pointer to its functions */
        rt_format(text, WIRE_TEXT, "_ZTS%s", name + (*name == '*'));
        if (x->type != type)
                return true;
        rt_run(NULL);
        what = what_of(x);
        rt_run(t);
        if (what)
                rt_format(text, WIRE_TEXT, "_ZTS%s\n%s", name + (*name == '*'), what);
        *site = x->site;
        return true;
}
