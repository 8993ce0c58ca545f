/* Lamport's fast mutual exclusion (1987, algorithm 2), for two threads. */
#include "mutual.h"

static atomic_int b[2], x, y;

static void enter_and_leave(int me)
{
        for (;;) {
                SET(b[me], 1);
                IN_ORDER();
                SET(x, me + 1);
                FULL();
                if (GET(y) != 0) {
                        SET(b[me], 0);
                        while (GET(y) != 0)
                                ;
                        continue;
                }
                SET(y, me + 1);
                FULL();
                if (GET(x) == me + 1)
                        break;
                SET(b[me], 0);
                FULL();
                while (GET(b[1 - me]))
                        ;
                if (GET(y) == me + 1)
                        break;
                while (GET(y) != 0)
                        ;
        }
        critical_section();
        SET(y, 0);
        IN_ORDER();
        SET(b[me], 0);
}
