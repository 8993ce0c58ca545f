/* GLib: threads that synchronise by functions of a library that is not instrumented.  The argument names the case. */
#include <glib.h>
#include <stdlib.h>
#include <string.h>

static GMutex m, m2;
static GCond c;
static GAsyncQueue *q;
static GRWLock rw;
static int ready, n, number;
static gsize once;

static void check(int ok)
{
        if (!ok)
                abort();
}

/* Two threads count under a mutex. */
static gpointer count(gpointer a)
{
        g_mutex_lock(&m);
        n++;
        g_mutex_unlock(&m);
        return a;
}

static void mutex(void)
{
        GThread *t = g_thread_new("count", count, NULL);

        count(NULL);
        g_thread_join(t);
        check(n == 2);
}

/* A counter that is read and written in two steps, each of them atomic. */
static gpointer add(gpointer a)
{
        int old = g_atomic_int_get(&number);

        g_atomic_int_set(&number, old + 1);
        return a;
}

static void lost_update(void)
{
        GThread *t = g_thread_new("add", add, NULL);

        add(NULL);
        g_thread_join(t);
        check(number == 2);
}

static gpointer add_once(gpointer a)
{
        g_atomic_int_inc(&number);
        return a;
}

static void atomics(void)
{
        GThread *t = g_thread_new("add", add_once, NULL);

        add_once(NULL);
        g_thread_join(t);
        check(number == 2);
}

/* Locks in two orders. */
static gpointer other_order(gpointer a)
{
        g_mutex_lock(&m2);
        g_mutex_lock(&m);
        g_mutex_unlock(&m);
        g_mutex_unlock(&m2);
        return a;
}

static void lock_order(void)
{
        GThread *t = g_thread_new("other", other_order, NULL);

        g_mutex_lock(&m);
        g_mutex_lock(&m2);
        g_mutex_unlock(&m2);
        g_mutex_unlock(&m);
        g_thread_join(t);
}

/* A condition that is set before it is signalled, or only signalled. */
static gpointer set(gpointer a)
{
        g_mutex_lock(&m);
        ready = 1;
        g_cond_signal(&c);
        g_mutex_unlock(&m);
        return a;
}

static void cond(void)
{
        GThread *t = g_thread_new("set", set, NULL);

        g_mutex_lock(&m);
        while (!ready)
                g_cond_wait(&c, &m);
        g_mutex_unlock(&m);
        g_thread_join(t);
}

static void lost_wakeup(void)
{
        GThread *t = g_thread_new("set", set, NULL);

        g_mutex_lock(&m);
        g_cond_wait(&c, &m);
        g_mutex_unlock(&m);
        g_thread_join(t);
}

/* A queue: one item for each pop, or one pop more. */
static gpointer push(gpointer a)
{
        g_async_queue_push(q, a);
        return a;
}

static void queue(void)
{
        GThread *t;

        q = g_async_queue_new();
        t = g_thread_new("push", push, &n);
        check(g_async_queue_pop(q) == &n);
        g_thread_join(t);
}

/* The item is gone if the other thread takes it first. */
static gpointer try_pop(gpointer a)
{
        g_async_queue_try_pop(q);
        return a;
}

static void stolen_item(void)
{
        GThread *t;

        q = g_async_queue_new();
        g_async_queue_push(q, &n);
        t = g_thread_new("try", try_pop, NULL);
        g_async_queue_pop(q);
        g_thread_join(t);
}

/* A pool whose tasks wait for each other: two workers suffice, one does not. */
static void task(gpointer data, gpointer a)
{
        (void)a;
        g_mutex_lock(&m);
        n += GPOINTER_TO_INT(data);
        g_cond_broadcast(&c);
        while (n < 3)
                g_cond_wait(&c, &m);
        g_mutex_unlock(&m);
}

static void use_pool(int workers)
{
        GThreadPool *p = g_thread_pool_new(task, NULL, workers, TRUE, NULL);

        g_thread_pool_push(p, GINT_TO_POINTER(1), NULL);
        g_thread_pool_push(p, GINT_TO_POINTER(2), NULL);
        g_thread_pool_free(p, FALSE, TRUE);
        check(n == 3);
}

static void pool(void)
{
        use_pool(2);
}

static void small_pool(void)
{
        use_pool(1);
}

/* Readers and writers; a reader that upgrades its lock waits for itself. */
static gpointer write_it(gpointer a)
{
        g_rw_lock_writer_lock(&rw);
        n++;
        g_rw_lock_writer_unlock(&rw);
        return a;
}

static void rwlock(void)
{
        GThread *t = g_thread_new("write", write_it, NULL);
        int before, after;

        g_rw_lock_reader_lock(&rw);
        before = n;
        g_thread_yield();
        after = n;
        g_rw_lock_reader_unlock(&rw);
        check(before == after);
        g_thread_join(t);
}

/* What was read is written after another thread may have written. */
static gpointer add_later(gpointer a)
{
        int old;

        g_rw_lock_reader_lock(&rw);
        old = n;
        g_rw_lock_reader_unlock(&rw);
        g_rw_lock_writer_lock(&rw);
        n = old + 1;
        g_rw_lock_writer_unlock(&rw);
        return a;
}

static void rwlock_update(void)
{
        GThread *t = g_thread_new("add", add_later, NULL);

        add_later(NULL);
        g_thread_join(t);
        check(n == 2);
}

/* Initialised once; each caller sees the value. */
static gpointer init_once(gpointer a)
{
        if (g_once_init_enter(&once)) {
                n++;
                g_once_init_leave(&once, 1);
        }
        check(n == 1);
        return a;
}

static void once_only(void)
{
        GThread *t = g_thread_new("init", init_once, NULL);

        init_once(NULL);
        g_thread_join(t);
}

/* Others are let through before the value is there. */
static gpointer leave_early(gpointer a)
{
        if (g_once_init_enter(&once)) {
                g_once_init_leave(&once, 1);
                g_atomic_int_set(&number, 1);
        }
        check(g_atomic_int_get(&number) == 1);
        return a;
}

static void once_leave_early(void)
{
        GThread *t = g_thread_new("init", leave_early, NULL);

        leave_early(NULL);
        g_thread_join(t);
}

/* The flag is set too early. */
static gpointer init_early(gpointer a)
{
        if (g_atomic_int_compare_and_exchange(&ready, 0, 1))
                g_atomic_int_set(&number, 1);
        check(g_atomic_int_get(&number) == 1);
        return a;
}

static void once_early(void)
{
        GThread *t = g_thread_new("init", init_early, NULL);

        init_early(NULL);
        g_thread_join(t);
}

int main(int argc, char **argv)
{
        static const struct {
                const char *name;
                void (*run)(void);
        } cases[] = {{"mutex", mutex},
                     {"lost_update", lost_update},
                     {"atomics", atomics},
                     {"lock_order", lock_order},
                     {"cond", cond},
                     {"lost_wakeup", lost_wakeup},
                     {"queue", queue},
                     {"stolen_item", stolen_item},
                     {"pool", pool},
                     {"small_pool", small_pool},
                     {"rwlock", rwlock},
                     {"rwlock_update", rwlock_update},
                     {"once", once_only},
                     {"once_leave_early", once_leave_early},
                     {"once_early", once_early}};

        for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
                if (argc > 1 && strcmp(cases[i].name, argv[1]) == 0) {
                        cases[i].run();
                        return 0;
                }
        return 2;
}
