/* Lamport's bakery, for two threads. */
#include "mutual.h"

static atomic_int choosing[2], number[2];

static void enter_and_leave(int me)
{
        int other = 1 - me;
        SET(choosing[me], 1);
        FULL();
        int mine = 1 + GET(number[other]);
        SET(number[me], mine);
        IN_ORDER();
        SET(choosing[me], 0);
        FULL();
        while (GET(choosing[other]))
                ;
        for (;;) {
                int theirs = GET(number[other]);
                if (theirs == 0 || theirs > mine || (theirs == mine && other > me))
                        break;
        }
        critical_section();
        SET(number[me], 0);
}
