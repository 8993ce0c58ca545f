/* Peterson's algorithm. */
#include "mutual.h"

static atomic_int wants[2], turn;

static void enter_and_leave(int me)
{
        int other = 1 - me;
        SET(wants[me], 1);
        IN_ORDER();
        SET(turn, other);
        FULL();
        while (GET(wants[other]) && GET(turn) == other)
                ;
        critical_section();
        SET(wants[me], 0);
}
