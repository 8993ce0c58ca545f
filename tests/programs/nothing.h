/* Included by programs of many cases before main: what a case does not define does nothing. */
#ifndef BEFORE
#define BEFORE (void)0
#endif
#ifndef MEANWHILE
#define MEANWHILE (void)0
#endif
#ifndef FINALLY
#define FINALLY (void)0
#endif
