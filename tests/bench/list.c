/* Five threads put two blocks each at the head of a list, and main frees all. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
        struct node *next;
        int value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *head;

static void *put(void *arg)
{
        for (int i = 0; i < 2; i++) {
                struct node *n = malloc(sizeof *n);
                n->value = i;
                pthread_mutex_lock(&lock);
                n->next = head;
                head = n;
                pthread_mutex_unlock(&lock);
        }
        return arg;
}

int main(void)
{
        pthread_t t[5];

        puts("begin");
        for (int i = 0; i < 5; i++)
                pthread_create(&t[i], NULL, put, NULL);
        for (int i = 0; i < 5; i++)
                pthread_join(t[i], NULL);
        while (head) {
                struct node *n = head;
                head = n->next;
                free(n);
        }
        return 0;
}
