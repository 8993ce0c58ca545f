#include <stdio.h>

#include "part.h"

#ifdef ASSEMBLY
int upper(void);
int lower(void);
#else
#define upper() 0
#define lower() 0
#endif

int main(void)
{
        printf("part %d\n", part(2) + upper() + lower());
        return 0;
}
