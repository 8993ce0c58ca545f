/* A pointer is NULL or not; one that is not may be used, and no thread has to free it. */
#include <stddef.h>

void *__VERIFIER_nondet_pointer(void);
int null, other;

int main(void)
{
        char *p = __VERIFIER_nondet_pointer();

        if (p)
                other = ++*p;
        else
                null = 1;
        return 0;
}
