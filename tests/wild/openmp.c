/* OpenMP with two threads, on the runtime of gcc or of clang.  The argument names the case. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static int n, m;

static void check(int ok)
{
        if (!ok)
                abort();
}

static void parallel_for(void)
{
        int sum = 0;

#pragma omp parallel for num_threads(2) reduction(+ : sum)
        for (int i = 0; i < 4; i++)
                sum += i;
        check(sum == 6);
}

/* Each round reads and writes in two steps. */
static void for_update(void)
{
#pragma omp parallel for num_threads(2)
        for (int i = 0; i < 2; i++) {
                int old;
#pragma omp atomic read
                old = n;
#pragma omp atomic write
                n = old + 1;
        }
        check(n == 2);
}

static void critical(void)
{
#pragma omp parallel num_threads(2)
        {
#pragma omp critical
                n++;
        }
        check(n == 2);
}

/* The section ends between reading and writing. */
static void lost_update(void)
{
#pragma omp parallel num_threads(2)
        {
                int old;
#pragma omp critical
                old = n;
#pragma omp critical
                n = old + 1;
        }
        check(n == 2);
}

/* Two sections, entered in two orders. */
static void nested_critical(void)
{
#pragma omp parallel num_threads(2)
        {
                if (omp_get_thread_num() == 0) {
#pragma omp critical(first)
                        {
#pragma omp critical(second)
                                n++;
                        }
                } else {
#pragma omp critical(second)
                        {
#pragma omp critical(first)
                                m++;
                        }
                }
        }
}

static void locks(void)
{
        omp_lock_t l;

        omp_init_lock(&l);
#pragma omp parallel num_threads(2)
        {
                omp_set_lock(&l);
                n++;
                omp_unset_lock(&l);
        }
        omp_destroy_lock(&l);
        check(n == 2);
}

static void lock_order(void)
{
        omp_lock_t l[2];

        omp_init_lock(&l[0]);
        omp_init_lock(&l[1]);
#pragma omp parallel num_threads(2)
        {
                int first = omp_get_thread_num() & 1;

                omp_set_lock(&l[first]);
                omp_set_lock(&l[!first]);
                omp_unset_lock(&l[!first]);
                omp_unset_lock(&l[first]);
        }
}

static void tasks(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
        {
#pragma omp task shared(n)
#pragma omp atomic
                n++;
#pragma omp task shared(n)
#pragma omp atomic
                n++;
#pragma omp taskwait
                check(n == 2);
        }
}

/* Nobody waits for the task. */
static void task_early(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
        {
                int seen;
#pragma omp task shared(n)
#pragma omp atomic write
                n = 1;
#pragma omp atomic read
                seen = n;
                check(seen == 1);
        }
}

int main(int argc, char **argv)
{
        static const struct {
                const char *name;
                void (*run)(void);
        } cases[] = {{"parallel_for", parallel_for},
                     {"for_update", for_update},
                     {"critical", critical},
                     {"lost_update", lost_update},
                     {"nested_critical", nested_critical},
                     {"locks", locks},
                     {"lock_order", lock_order},
                     {"tasks", tasks},
                     {"task_early", task_early}};

        for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
                if (argc > 1 && strcmp(cases[i].name, argv[1]) == 0) {
                        cases[i].run();
                        return 0;
                }
        return 2;
}
