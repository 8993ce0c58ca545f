/* See plugin.h. */
#include "rt/user/plugin.h"

#include <dlfcn.h>

#include "op/records.h"
#include "rt/fault.h"
#include "rt/sched/end.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/util.h"

/* `format` has one %s, for the name. */
_Noreturn void userop_wrong(const char *format, const char *name)
{
        char line[WIRE_TEXT];

        rt_format(line, sizeof line, format, name);
        if (rt_cur)
                exec_end_text(WIRE_END_PLUGIN, 0, line);
        rt_fault(line);
}

void userop_init(void)
{
        struct wire_up *up = rt.up;
        struct op_records records = {up->states, &up->n_states, up->state_heads, WIRE_STATE_WORDS};

        records_use(&records, &records);
        for (uint32_t i = 0; i < rt.down->n_plugins && i < WIRE_MAX_PLUGINS; i++) {
                const char *path = rt.down->plugins[i];
                void *handle = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
                const struct heddle_plugin *p = handle ? dlsym(handle, "heddle_plugin") : NULL;
                if (!p || op_user_add(p))
                        userop_wrong("the plugin %s cannot be loaded into the program", path);
        }
}

struct op_label userop_pending(const struct thread *t)
{
        const struct pending *p = &t->pend;

        return (struct op_label){.state = (uint32_t)p->object->state,
                                 .kind = (uint16_t)(p->object->kind - OP_OBJ_USER),
                                 .role = p->role,
                                 .op = p->op,
                                 .arg = p->arg};
}

static bool broken; /* a plugin has crashed: it is not asked again */

bool userop_enabled(const struct thread *t)
{
        struct op_label l = userop_pending(t);

        return broken || op_user_may(&l, t->id, t->pend.object->state);
}

uint64_t userop_label(const struct thread *t)
{
        struct op_label l = userop_pending(t);

        return op_user_label(&l);
}

void userop_crashed(const char *signal)
{
        const char *op = op_user_inside;
        char line[WIRE_TEXT];

        if (!op)
                return;
        op_user_inside = NULL;
        broken = true;
        rt_format(line, sizeof line, "a function of the plugin (--ops) for '%s' crashed: %s", op, signal);
        if (rt.up && rt.up->running)
                exec_end_text(WIRE_END_PLUGIN, 0, line);
        rt_fault(line);
}
