/* An object without a symbol has the name that the program gave it. */
#include <heddle/heddle.h>
#include <stdlib.h>

#include "../litmus.h"

int main(void)
{
        pthread_mutex_t *lock = malloc(sizeof(*lock));

        pthread_mutex_init(lock, NULL);
        heddle_name(lock, "the only lock");
        pthread_mutex_lock(lock);
        pthread_mutex_lock(lock);
        return 0;
}
