/* The bakery algorithm for two threads, with loops that are left after N rounds. */
#include <pthread.h>
#include <stdint.h>

static int enter[2], number[2], x;

static void *customer(void *arg)
{
        int i = (int)(intptr_t)arg, max = 0, n1 = 0, n2 = 0;

        enter[i] = 1;
        for (int k = 0; k < 2; k++)
                if (number[k] > max)
                        max = number[k];
        number[i] = 1 + max;
        enter[i] = 0;
        for (int j = 0; j < 2; j++) {
                while (enter[j] == 1)
                        if (n1++ > N)
                                break;
                while (number[j] != 0 && number[j] < number[i])
                        if (n2++ > N)
                                break;
        }
        x = i + 1;
        number[i] = 0;
        return 0;
}

int main(void)
{
        pthread_t t[2];

        for (intptr_t i = 0; i < 2; i++)
                pthread_create(&t[i], 0, customer, (void *)i);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], 0);
        return 0;
}
