/* liburcu (the memb flavour, and its queue).  The argument names the case. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <urcu/urcu-memb.h>
#include <urcu/wfcqueue.h>

struct item {
        int value;
        struct cds_wfcq_node node;
};

static struct item *shared;
static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct item items[2];

static void check(int ok)
{
        if (!ok)
                abort();
}

static void *reader(void *a)
{
        struct item *i;

        urcu_memb_register_thread();
        urcu_memb_read_lock();
        i = rcu_dereference(shared);
        check(i->value == 1 || i->value == 2);
        urcu_memb_read_unlock();
        urcu_memb_unregister_thread();
        return a;
}

/* The old version is freed after a grace period, or at once. */
static void replace(int wait)
{
        struct item *old = malloc(sizeof *old), *new = malloc(sizeof *new);
        pthread_t t;

        old->value = 1;
        new->value = 2;
        rcu_assign_pointer(shared, old);
        pthread_create(&t, NULL, reader, NULL);
        rcu_assign_pointer(shared, new);
        if (wait)
                urcu_memb_synchronize_rcu();
        old->value = 0;
        free(old);
        pthread_join(t, NULL);
        free(new);
}

static void *enqueue(void *a)
{
        cds_wfcq_enqueue(&head, &tail, &items[1].node);
        return a;
}

static void queue(void)
{
        int got = 0;
        pthread_t t;

        cds_wfcq_init(&head, &tail);
        pthread_create(&t, NULL, enqueue, NULL);
        cds_wfcq_enqueue(&head, &tail, &items[0].node);
        pthread_join(t, NULL);
        while (cds_wfcq_dequeue_blocking(&head, &tail))
                got++;
        check(got == 2);
}

/* The queue may still be empty. */
static void queue_early(void)
{
        pthread_t t;

        cds_wfcq_init(&head, &tail);
        pthread_create(&t, NULL, enqueue, NULL);
        check(!cds_wfcq_empty(&head, &tail));
        pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
        const char *name = argc > 1 ? argv[1] : "";

        if (strcmp(name, "replace") == 0)
                replace(1);
        else if (strcmp(name, "replace_early") == 0)
                replace(0);
        else if (strcmp(name, "queue") == 0)
                queue();
        else if (strcmp(name, "queue_early") == 0)
                queue_early();
        else
                return 2;
        return 0;
}
