/* C11 threads: results, a recursive lock, a condition variable, a key with a destructor, call_once. */
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static cnd_t cond;
static tss_t key;
static once_flag flag = ONCE_FLAG_INIT;
static int ready;
int inits, destroyed, sum, busy;

static void init(void)
{
        inits++;
}

static void destroy(void *arg)
{
        assert(mtx_lock(&lock) == thrd_success);
        destroyed++;
        assert(mtx_unlock(&lock) == thrd_success);
}

static int waiter(void *arg)
{
        call_once(&flag, init);
        tss_set(key, &key);
        assert(tss_get(key) == &key);
        mtx_lock(&lock);
        mtx_lock(&lock);
        mtx_unlock(&lock);
        while (!ready)
                cnd_wait(&cond, &lock);
        mtx_unlock(&lock);
        thrd_exit(3);
}

static int signaller(void *arg)
{
        call_once(&flag, init);
        if (mtx_trylock(&lock) == thrd_busy) {
                busy = 1;
                mtx_lock(&lock);
        }
        ready = 1;
        cnd_signal(&cond);
        mtx_unlock(&lock);
        thrd_yield();
        return 4;
}

int main(void)
{
        thrd_t a, b;
        int r = 0;

        assert(mtx_init(&lock, mtx_plain | mtx_recursive) == thrd_success);
        assert(mtx_init(&lock, 77) == thrd_error);
        assert(mtx_init(&lock, mtx_plain | mtx_recursive) == thrd_success);
        assert(cnd_init(&cond) == thrd_success && tss_create(&key, destroy) == thrd_success);
        assert(thrd_create(&a, waiter, NULL) == thrd_success);
        assert(thrd_create(&b, signaller, NULL) == thrd_success);
        assert(!thrd_equal(a, b) && !thrd_equal(a, thrd_current()));
        assert(thrd_join(a, &r) == thrd_success);
        sum = r;
        assert(thrd_join(b, &r) == thrd_success);
        sum += r;
        cnd_destroy(&cond);
        mtx_destroy(&lock);
        tss_delete(key);
        return 0;
}
