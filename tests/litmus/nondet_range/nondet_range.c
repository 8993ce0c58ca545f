/* --nondet says which values there are; no other value is claimed to be covered. */
#include "../litmus.h"

extern int __VERIFIER_nondet_int(void);
int x;

static void *chooses(void *arg)
{
        x = __VERIFIER_nondet_int();
        return NULL;
}

int main(void)
{
        RUN(chooses);
        return 0;
}
