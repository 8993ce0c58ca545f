/* Every step of one execution, a line each: the log of a replay. */
#include <stdlib.h>
#include <string.h>

#include "op/op.h"
#include "report/report.h"
#include "report/step.h"
#include "report/style.h"
#include "report/wording.h"
#include "binary/symbols.h"

static void put_step(const struct style *style, struct symbols *s, const struct delays *d, uint32_t i, bool turned)
{
        const struct trace *t = d->t;
        const struct wire_event *e = &t->events[i];
        struct symbols_frame at = phrase_entry(s, t, i);
        char place[256], who[32], name[128];
        const char *function = phrase_function(name, sizeof name, at.function);
        const char *base = at.file ? strrchr(at.file, '/') : NULL;
        char *step = step_text(s, d, i, true);

        int n = snprintf(who, sizeof(who), "%5u  T%-3u ", i + 1, trace_owner(t, e->actor));
        style_put(style, turned ? STYLE_BOLD : STYLE_PLAIN, who, (uint32_t)n, 0);
        if (at.file)
                snprintf(place, sizeof(place), "%s %s:%u", function, base ? base + 1 : at.file, at.line);
        else
                snprintf(place, sizeof(place), "%s", function);
        style_put(style, STYLE_DIM, place, (uint32_t)strlen(place), 32);
        fputc(' ', style->f);
        if (step)
                style_put(style, STYLE_PLAIN, step, (uint32_t)strlen(step), 0);
        fputc('\n', style->f);
        free(step);
}

static void put_failures(const struct style *style, struct symbols *s, const struct trace *t, uint32_t event)
{
        for (uint32_t k = 0; k < t->n_failures; k++) {
                if (t->failures[k].event != event)
                        continue;
                enum finding_kind kind = finding_kind_of(t->failures[k].kind);
                char *message = finding_message(kind, t, k, s);
                fprintf(style->f, "       T%-3u ", t->failures[k].actor);
                style_put(style, STYLE_RED, finding_kind_name(kind), (uint32_t)strlen(finding_kind_name(kind)), 0);
                fputs(": ", style->f);
                if (message)
                        style_put(style, STYLE_PLAIN, message, (uint32_t)strlen(message), 0);
                fputc('\n', style->f);
                free(message);
        }
}

void report_steps(FILE *f, const struct report_info *info, const struct trace *t)
{
        struct symbols *own, *s = phrase_symbols(NULL, t, &own);
        struct style style;
        struct delays delays;
        uint32_t before = WIRE_NO_ACTOR;

        style_init(&style, f, info->color);
        if (delays_init(&delays, t) || !s) {
                fputs("heddle: out of memory, no steps\n", f);
                return;
        }
        trace_focus(t, s);
        for (uint32_t i = 0; i < t->n_events; i++) {
                const struct wire_event *e = &t->events[i];
                put_failures(&style, s, t, i);
                if (!info->verbose && op_has(e->op, OPF_PART))
                        continue;
                put_step(&style, s, &delays, i, e->actor != before);
                before = e->actor;
        }
        put_failures(&style, s, t, t->n_events);
        delays_fini(&delays);
        symbols_destroy(own);
}
