/* libuv: its thread pool and its primitives.  The argument names the case. */
#include <stdlib.h>
#include <string.h>
#include <uv.h>

static uv_mutex_t m, m2;
static uv_sem_t s;
static int n, done;

static void check(int ok)
{
        if (!ok)
                abort();
}

static void work(uv_work_t *w)
{
        (void)w;
        uv_mutex_lock(&m);
        n++;
        uv_mutex_unlock(&m);
}

static void work_in_order(uv_work_t *w)
{
        uv_mutex_t *first = w->data;

        uv_mutex_lock(first);
        uv_mutex_lock(first == &m ? &m2 : &m);
        n++;
        uv_mutex_unlock(&m);
        uv_mutex_unlock(&m2);
}

/* It waits for what the other one posts: with one worker nobody does. */
static void work_wait(uv_work_t *w)
{
        if (w->data)
                uv_sem_post(&s);
        else
                uv_sem_wait(&s);
}

static void after(uv_work_t *w, int status)
{
        (void)w;
        check(status == 0);
        done++;
}

static void queue(void (*f)(uv_work_t *), void *a, void *b)
{
        uv_work_t w[2] = {{.data = a}, {.data = b}};

        uv_mutex_init(&m);
        uv_mutex_init(&m2);
        uv_sem_init(&s, 0);
        uv_queue_work(uv_default_loop(), &w[0], f, after);
        uv_queue_work(uv_default_loop(), &w[1], f, after);
        uv_run(uv_default_loop(), UV_RUN_DEFAULT);
        check(done == 2);
}

int main(int argc, char **argv)
{
        const char *name = argc > 1 ? argv[1] : "";

        setenv("UV_THREADPOOL_SIZE", strcmp(name, "one_worker") == 0 ? "1" : "2", 1);
        if (strcmp(name, "pool") == 0)
                queue(work, NULL, NULL);
        else if (strcmp(name, "lock_order") == 0)
                queue(work_in_order, &m, &m2);
        else if (strcmp(name, "two_workers") == 0 || strcmp(name, "one_worker") == 0)
                queue(work_wait, NULL, &s);
        else
                return 2;
        return 0;
}
