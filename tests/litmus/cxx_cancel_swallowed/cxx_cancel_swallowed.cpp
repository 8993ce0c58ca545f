// A catch (...) that keeps the end of a thread to itself ends the program.
#include <pthread.h>

static void *worker(void *)
{
        try {
                pthread_exit(nullptr);
        } catch (...) {
        }
        return nullptr;
}

int main()
{
        pthread_t thread;

        pthread_create(&thread, nullptr, worker, nullptr);
        pthread_join(thread, nullptr);
}
