/*
 * The terminal report.  It is written for readers without any knowledge of partial orders: what went wrong and where,
 * which thread did what in which order, and the command that replays it.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "report/outcomes.h"
#include "report/prediction.h"
#include "report/race_list.h"
#include "report/report.h"
#include "report/explanation.h"
#include "report/timeline.h"
#include "report/style.h"
#include "report/table.h"
#include "report/wording.h"
#include "binary/symbols.h"
#include "trace/waits.h"
#include "binary/instrumentation.h"
#include "verdict/busy_waits.h"

struct text {
        struct style style;
        const struct report_info *info;
        const struct result *r;
        struct symbols *symbols;
};

static void put(const struct text *x, enum style_color color, const char *s)
{
        style_put(&x->style, color, s, (uint32_t)strlen(s), 0);
}

static void put_frame(const struct text *x, const char *before, const struct symbols_frame *f)
{
        FILE *out = x->style.f;
        char name[256];

        fputs(before, out);
        put(x, STYLE_BOLD, phrase_function(name, sizeof name, f->function));
        if (f->file) {
                fputc(' ', out);
                put(x, STYLE_PLAIN, f->file);
                fprintf(out, ":%u", f->line);
        }
        fputc('\n', out);
}

/* Frames without a line (libc), those of the runtime, and those in system headers are not shown. */
static bool is_told(const struct text *x, const struct symbols_frame *f)
{
        if (!f->line || f->runtime)
                return false;
        return x->info->verbose || strncmp(f->file, "/usr/", 5) != 0;
}

static void put_calls(const struct text *x, const char *first, const uint64_t *sites, uint32_t n)
{
        uint32_t max = x->info->verbose ? UINT32_MAX : 6, told = 0;

        for (uint32_t i = 0; i < n; i++) {
                const struct symbols_frame *frames;
                uint32_t k = symbols_frames(x->symbols, sites[i], &frames);
                for (uint32_t j = 0; j < k && told < max; j++)
                        if (is_told(x, &frames[j]))
                                put_frame(x, told++ ? "    called by " : first, &frames[j]);
        }
        if (n && !told) {
                struct symbols_frame f = phrase_where(x->symbols, sites, n);
                put_frame(x, first, &f);
        }
}

/* The place of the failure and the calls that led there; and to a block of the heap. */
static void put_stack(const struct text *x, const struct finding *fd)
{
        const struct trace *t = fd->trace;
        uint64_t sites[WIRE_MAX_STACK + 1];
        uint32_t n = finding_stack(fd->kind, t, fd->failure, sites);

        put_calls(x, fd->kind == FINDING_LEAK ? "  allocated in " : "  in ", sites, n);
        if (fd->kind == FINDING_LEAK || fd->failure >= t->n_failures || !t->failures[fd->failure].block.n_allocated)
                return;
        const struct wire_block *k = &t->failures[fd->failure].block;
        put_calls(x, "  freed in ", k->freed, k->n_freed);
        put_calls(x, "  allocated in ", k->allocated, k->n_allocated);
}

/* A deadlock or livelock: every thread that is blocked, and what it waits for. */
static void put_waits(const struct text *x, const struct finding *fd)
{
        const struct trace *t = fd->trace;
        FILE *out = x->style.f;
        uint32_t cycle[WIRE_MAX_THREADS];
        uint32_t n = waits_cycle(t, cycle);

        for (uint32_t i = 0; i < t->n_threads; i++) {
                const struct wire_thread *th = &t->threads[i];
                char name[160], object[160];
                if (th->state != WIRE_T_BLOCKED && th->state != WIRE_T_SPIN)
                        continue;
                uint64_t sites[WIRE_MAX_STACK + 1];
                uint32_t n_sites = finding_thread_stack(t, i, sites);
                struct symbols_frame at =
                        n_sites ? phrase_where(x->symbols, sites, n_sites) : phrase_place(x->symbols, th->site);
                uint32_t holder = waits_for(t, i);
                fprintf(out, "  T%u ", i);
                put(x, STYLE_PLAIN, phrase_thread_name(name, sizeof(name), x->symbols, t, i));
                fputs(th->state == WIRE_T_SPIN ? " loops" : " waits for ", out);
                if (th->state == WIRE_T_BLOCKED)
                        put(x, STYLE_BOLD, finding_object(object, sizeof(object), x->symbols, th->op, th->obj));
                if (holder != WIRE_NO_ACTOR && waits_thread_of(t, th->obj) == WIRE_NO_ACTOR)
                        fprintf(out, holder == i ? ", which it holds itself" : ", held by T%u", holder);
                put_frame(x, ", in ", &at);
        }
        if (n > 1) {
                fputs("  The cycle: ", out);
                for (uint32_t i = 0; i < n; i++)
                        fprintf(out, "T%u %s ", cycle[i], x->style.unicode ? "→" : "->");
                fprintf(out, "T%u\n", cycle[0]);
        }
}

/* A line with a command that takes the schedule. */
static void put_command(const struct text *x, const char *head, const char *command, const struct finding *fd)
{
        struct strbuf b = STRBUF_INIT;

        fputs(head, x->style.f);
        strbuf_printf(&b, "heddle %s '%s' %s%s", command, fd->schedule ? fd->schedule : "?", phrase_replay_option(fd),
                      x->info->replay_hint ? x->info->replay_hint : "");
        put(x, STYLE_GREEN, strbuf_str(&b));
        strbuf_fini(&b);
        fputc('\n', x->style.f);
}

static void put_replay(const struct text *x, const struct finding *fd)
{
        put_command(x, "  Replay: ", "replay", fd);
        if (fd->minimized.tried && !fd->minimized.fewest)
                put_command(x, "  Simplify: ", "explain --minimize 60s", fd);
}

/* A text, which is freed, broken into lines; NULL: nothing. */
static void put_words(const struct text *x, char *words)
{
        for (const char *at = words; at && *at;) {
                uint32_t n = style_break(at, x->style.width > 12 ? x->style.width - 2 : 10);
                fputs("  ", x->style.f);
                style_put(&x->style, STYLE_PLAIN, at, n, 0);
                fputc('\n', x->style.f);
                at += n;
                at += *at == ' ';
        }
        free(words);
}

/* How often it was seen, and what was done about it. */
static void put_seen(const struct text *x, const struct finding *fd)
{
        FILE *out = x->style.f;

        fprintf(out, "  first seen in execution %" PRIu64, fd->execution);
        if (!fd->minimized.done)
                fprintf(out, ", with %u preemption%s", fd->preemptions, fd->preemptions == 1 ? "" : "s");
        if (fd->count > 1)
                fprintf(out, "; %" PRIu64 " executions show it", fd->count);
        fputc('\n', out);
        put_words(x, story_minimized(fd));
}

static void put_repair(const struct text *x, const struct finding *fd)
{
        char *repair = story_repair(x->symbols, fd), *words = NULL;

        if (repair && asprintf(&words, "repair: %s", repair) >= 0)
                put_words(x, words);
        free(repair);
}

static void put_failure(const struct text *x, const struct finding *fd, uint32_t number)
{
        FILE *out = x->style.f;
        char *message = finding_message(fd->kind, fd->trace, fd->failure, x->symbols);

        if (x->r->n_findings > 1)
                fprintf(out, "%s%u of %u  ", number > 1 && !x->info->quiet ? "\n" : "", number, x->r->n_findings);
        const char *rest = phrase_rest(fd->kind, message);
        put(x, STYLE_RED, finding_kind_name(fd->kind));
        fputs(rest == message ? ": " : "", out);
        put(x, STYLE_BOLD, rest);
        fputc('\n', out);
        free(message);
        if (!x->info->quiet) {
                bool stuck = fd->kind == FINDING_DEADLOCK || fd->kind == FINDING_LIVELOCK;
                if (stuck)
                        put_waits(x, fd);
                else
                        put_stack(x, fd);
                put_seen(x, fd);
                put_words(x, story_tell(x->symbols, fd));
                put_repair(x, fd);
                put_words(x, story_inflection(x->symbols, fd));
                if (fd->minimized.done && !fd->minimized.inflection_known && fd->minimized.timeout)
                        put_words(x, strdup("which step makes it certain was not found in time (--minimize)"));
                fputs("\n", out);
                struct stretches s;
                stretches_init(&s, x->symbols, fd, x->info->verbose);
                table_put(&x->style, x->symbols, fd->trace, &s, x->info->verbose);
                stretches_fini(&s);
                if (!x->info->single) /* a replay shows all that the program prints */
                        errors_put(&x->style, fd);
                fputc('\n', out);
        }
        put_replay(x, fd);
}

static void put_figures(const struct text *x)
{
        const struct stats *st = &x->r->stats;
        uint64_t runs = stats_runs(st);
        double rate = st->seconds > 0 ? (double)runs / st->seconds : 0;
        FILE *out = x->style.f;

        fprintf(out, "%" PRIu64 " execution%s", runs, runs == 1 ? "" : "s");
        if (st->probes)
                fprintf(out, " (%" PRIu64 " of them %s)", st->probes, st->probes == 1 ? "a probe" : "probes");
        if (st->blocked)
                fprintf(out, ", %" PRIu64 " more redundant", st->blocked);
        uint64_t cut = st->cut_assume + st->cut_bound + st->cut_depth + st->cut_spin;
        if (cut)
                fprintf(out, ", %" PRIu64 " cut", cut);
        fprintf(out, ", %.2f s", st->seconds);
        if (st->seconds >= 0.001)
                fprintf(out, ", %.0f/s", rate);
}

/* The modules of which only the thread calls were seen, beside others that were seen whole. */
static void put_unseen(const struct text *x)
{
        FILE *out = x->style.f;
        uint32_t n = 0;

        for (uint32_t i = 0; i < x->r->facts.n_modules; i++) {
                const char *path = x->r->facts.modules[i].path, *slash = strrchr(path, '/');
                if (watched_module(path) != WATCHED_CALLS)
                        continue;
                fputs(n++ ? ", " : "  Not built by `heddle cc`, so their memory accesses are not checked: ", out);
                put(x, STYLE_PLAIN, slash ? slash + 1 : path);
        }
        if (n)
                fputc('\n', out);
}

/* --strategy deepen: the sets of points that were explored completely, and how many were not. */
static void put_sets(const struct text *x)
{
        uint32_t done = 0, left = 0;
        FILE *out = x->style.f;

        for (uint32_t i = 0; i < x->r->n_sets; i++) {
                const struct point_set_result *p = &x->r->sets[i];
                char name[WIRE_TEXT] = "waits and yields";
                size_t n = strlen(name);

                left += p->state != POINT_SET_DONE;
                done += p->state == POINT_SET_DONE;
                if (p->state != POINT_SET_DONE ||
                    (!x->info->verbose && !p->maximal && (x->r->stats.complete || done > 8)))
                        continue;
                if (p->classes & WIRE_POINT_ACQUIRE)
                        n += (size_t)snprintf(name + n, sizeof name - n, ", locks");
                if (p->classes & WIRE_POINT_RELEASE)
                        n += (size_t)snprintf(name + n, sizeof name - n, ", unlocks");
                for (uint32_t k = 0; k < p->n_sites && k < 3; k++) {
                        struct symbols_frame at = symbols_place(x->symbols, p->sites[k]);
                        n += (size_t)snprintf(name + n, sizeof name - n, ", %.40s:%u", at.file ? at.file : at.function,
                                              at.line);
                }
                if (p->n_sites > 3)
                        snprintf(name + n, sizeof name - n, " and %u more accesses", p->n_sites - 3);
                fputs("  Explored completely: ", out);
                put(x, STYLE_PLAIN, name);
                fprintf(out, " (%" PRIu64 " executions)%s\n", p->executions,
                        p->maximal ? ", which covers all others" : "");
        }
        if (done > 8 && !x->r->stats.complete && !x->info->verbose)
                fprintf(out, "  ... and %u more: --verbose lists all\n", done - 8);
        if (x->r->stats.complete || !left)
                return;
        if (done)
                fprintf(out, "  %u other set%s of preemption points %s not\n", left, left == 1 ? "" : "s",
                        left == 1 ? "was" : "were");
        else
                fprintf(out, "  None of %u set%s of preemption points was explored completely\n", left,
                        left == 1 ? "" : "s");
}

/* Threads that wait in loops, transactions that never commit: no failure. */
static void put_hints(const struct text *x)
{
        const char *busy = "  Hint: a thread waits in a loop for another one, which keeps a processor busy: ";
        const char *never = "  Warning: a transaction never commits, it aborts in every execution: ";
        uint64_t site, n = x->r->n_busy;

        for (uint32_t i = 0; (site = i < n ? x->r->busy[i] : hints_uncommitted(x->r, i - (uint32_t)n)); i++) {
                struct symbols_frame at = symbols_place(x->symbols, site);
                put_frame(x, i == n ? never : i == 0 ? busy : "        ", &at);
        }
}

/* What every execution loses: no failure. */
static void put_leaks(const struct text *x)
{
        const char *hint = "  Hint: memory that every execution loses (--leaks all) is allocated in ";

        for (uint32_t i = 0, told = 0; i < x->r->n_leaks; i++) {
                const struct leak *l = &x->r->leaks[i];
                struct symbols_frame at = phrase_where(x->symbols, l->block.allocated, l->block.n_allocated);
                if (!l->least || !l->n_amounts)
                        continue;
                put_frame(x, told++ ? "        " : hint, &at);
        }
}

static void put_excluded(const struct text *x)
{
        phrase_put_instead(x->style.f, x->info->strategy, x->r);
        for (uint32_t i = 0; i < x->r->facts.n_excluded; i++) {
                fputs(i ? ", " : "  Excluded: ", x->style.f);
                put(x, STYLE_PLAIN, x->r->facts.excluded[i]);
        }
        fputs(x->r->facts.n_excluded ? "\n" : "", x->style.f);
}

/* What was checked: a verdict means no more than this. */
static void put_scope(const struct text *x)
{
        const struct report_info *info = x->info;
        FILE *out = x->style.f;

        fputs("  Checked: deadlock, livelock, assertion, crash, abort, exit status, infinite loop, lock misuse,\n"
              "  heap errors",
              out);
        fputs(x->r->leaks_known ? ", leaks" : "", out);
        fputs(info->races && x->r->facts.instrumented ? ", data races" : "", out);
        fprintf(out, "; up to %u thread%s\n", x->r->stats.threads, x->r->stats.threads == 1 ? "" : "s");
        fprintf(out, "  Preemption points: %s\n",
                info->preempt && strcmp(info->preempt, "all") == 0
                        ? "thread operations and every access to shared memory"
                : info->preempt && strcmp(info->preempt, "races") == 0
                        ? "thread operations, atomics and the accesses found racing"
                : x->r->facts.instrumented ? "thread operations and atomics"
                                           : "thread operations");
        if (info->memory && strcmp(info->memory, "sc") != 0)
                fprintf(out, "  Memory: %s, stores wait in %s before other threads see them\n", info->memory,
                        strcmp(info->memory, "tso") == 0 ? "a buffer of their thread" : "buffers, one per address,");
        if (x->r->shard.duplicates)
                fprintf(out, "  %llu executions were run by several shards, and count once\n",
                        (unsigned long long)x->r->shard.duplicates);
        put_hints(x);
        put_leaks(x);
        put_sets(x);
        prediction_put(out, &x->r->stats);
        put_excluded(x);
        if (!x->r->facts.instrumented)
                fputs("  The program was not built by `heddle cc`: its memory accesses are not checked, so a failure "
                      "that\n"
                      "  needs a switch between two of them is not found.\n",
                      out);
        else
                put_unseen(x);
        if (x->r->facts.forked && info->verbose) {
                fputs("  Each execution ran in its own process: ", out);
                put(x, STYLE_PLAIN, x->r->facts.isolation);
                fputc('\n', out);
        }
}

/* What makes an exploration long, and need not. */
static void put_advice(const struct text *x)
{
        char rounds[PHRASE_ROUNDS];

        fputs(phrase_rounds(rounds, sizeof rounds, &x->r->stats), x->style.f);
        if (x->info->timeouts && x->r->stats.timed_out && !x->r->stats.complete)
                fputs("  Waits with a deadline were explored with timeouts, in loops repeatedly. With `--timeouts "
                      "stuck` they time\n"
                      "  out only if nothing else can run.\n",
                      x->style.f);
}

/* Failures that do not count (--only, --ignore-failures). */
static void put_ignored(const struct text *x)
{
        char text[PHRASE_IGNORED];

        if (phrase_ignored(text, sizeof text, &x->r->stats)[0])
                fprintf(x->style.f, "; %s", text);
}

/* The sentence, the reasons in a line or, where something was not covered, as a list, and the figures. */
static void put_headline(const struct text *x)
{
        const struct stats *st = &x->r->stats;
        bool list = !st->complete && reasons_not_covered(&st->reasons).set;
        char text[200], why[REASONS_LINE], proven[128];
        FILE *out = x->style.f;

        put(x, st->complete ? STYLE_GREEN : STYLE_YELLOW,
            phrase_headline(text, sizeof text, x->r, racelist_count(x->symbols, x->r)));
        for (uint32_t i = 0; list && reasons_text(&st->reasons, i, why); i++) {
                fputs("\n  - ", out);
                put(x, STYLE_PLAIN, why);
        }
        if (!st->complete && !list) {
                fputc(' ', out);
                put(x, STYLE_PLAIN, reasons_line(&st->reasons, why));
        }
        if (!st->complete && phrase_proven(proven, sizeof proven, x->r)[0])
                fprintf(out, "; %s", proven);
        put_ignored(x);
        fputs(list ? "\n  (" : " (", out);
        put_figures(x);
        fputs(")\n", out);
}

static void put_verdict(const struct text *x)
{
        const struct stats *st = &x->r->stats;
        FILE *out = x->style.f;
        char why[REASONS_LINE];
        struct reasons others = st->reasons;
        bool stopped = !st->complete && reasons_has(&st->reasons, REASON_FIRST_FAILURE);

        if (x->r->n_findings) {
                if (x->info->quiet || x->info->single)
                        return;
                fputs(stopped ? "  Stopped at the first failure after " : "  ", out);
                put_figures(x);
                others.set &= ~REASON_BIT(REASON_FIRST_FAILURE);
                if (!stopped)
                        fputs(st->complete ? "; every behaviour explored" : "; not everything explored", out);
                if (!st->complete && others.set) {
                        fputs(stopped ? "; " : ": ", out);
                        put(x, STYLE_PLAIN, reasons_line(&others, why));
                }
                put_ignored(x);
                fputs(stopped ? ". Continue with --keep-going.\n" : "\n", out);
                put_excluded(x);
                return;
        }
        put_headline(x);
        if (!x->info->quiet) {
                put_scope(x);
                put_advice(x);
        }
}

char *text_scope(const struct report_info *info, const struct result *r, struct symbols *symbols)
{
        struct text x = {.info = info, .r = r, .symbols = symbols};
        char *text = NULL;
        size_t n;
        FILE *f = open_memstream(&text, &n);

        if (!f)
                return NULL;
        x.style = (struct style){.f = f, .width = 100, .unicode = true};
        put_headline(&x);
        put_scope(&x);
        put_advice(&x);
        outputs_put(&x.style, r);
        return fclose(f) ? NULL : text;
}

void report_text(FILE *f, const struct report_info *info, const struct result *r)
{
        struct symbols *own;
        struct text x = {.info = info, .r = r, .symbols = phrase_symbols(r, NULL, &own)};

        style_init(&x.style, f, info->color);
        if (!x.symbols) {
                fputs("heddle: out of memory, no report\n", f);
                return;
        }
        for (uint32_t i = 0; i < r->n_findings; i++) {
                finding_focus(&r->findings[i], x.symbols);
                put_failure(&x, &r->findings[i], i + 1);
        }
        put_verdict(&x);
        if (r->facts.n_observed)
                outcomes_put(&x.style, x.symbols, r);
        outputs_put(&x.style, r);
        if (!info->quiet)
                racelist_put(&x.style, x.symbols, r, info->verbose);
        symbols_destroy(own);
}
