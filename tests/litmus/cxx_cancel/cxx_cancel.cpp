// Cancellation unwinds the stack: destructors run, and catch (...) sees it and lets it continue.
#include <pthread.h>
#include <unistd.h>

int order, cancelled;

struct note {
        int n;
        ~note() { order = order * 10 + n; }
};

static void *worker(void *)
{
        note a{1};
        {
                note b{2};
                pthread_testcancel();
                try {
                        note c{3};
                        usleep(1);
                } catch (...) {
                        order = order * 10 + 9;
                        throw;
                }
        }
        return nullptr;
}

int main()
{
        pthread_t thread;
        void *value;

        pthread_create(&thread, nullptr, worker, nullptr);
        pthread_cancel(thread);
        pthread_join(thread, &value);
        cancelled = value == PTHREAD_CANCELED;
}
