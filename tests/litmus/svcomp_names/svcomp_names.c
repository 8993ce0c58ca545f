/* The names of the SV-COMP competition, declared as its programs declare them. */
#include "../litmus.h"

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);

int x, b;

static void *worker(void *arg)
{
        __VERIFIER_atomic_begin();
        x++;
        __VERIFIER_atomic_end();
        return NULL;
}

int main(void)
{
        _Bool skip = __VERIFIER_nondet_bool();

        __VERIFIER_assume(!skip);
        b = __VERIFIER_nondet_bool();
        RUN(worker, worker);
        return 0;
}
