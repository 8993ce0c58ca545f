/* Dekker's algorithm. */
#include "mutual.h"

static atomic_int wants[2], turn;

static void enter_and_leave(int me)
{
        int other = 1 - me;
        SET(wants[me], 1);
        FULL();
        while (GET(wants[other])) {
                if (GET(turn) == me)
                        continue;
                SET(wants[me], 0);
                while (GET(turn) != me)
                        ;
                SET(wants[me], 1);
                FULL();
        }
        critical_section();
        SET(turn, other);
        IN_ORDER();
        SET(wants[me], 0);
}
