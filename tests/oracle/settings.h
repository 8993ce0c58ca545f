/*
 * With which options a program is checked: they follow from its number, so that the generator's model and the comparer
 * agree on them.
 */
#ifndef ORACLE_SETTINGS_H
#define ORACLE_SETTINGS_H

enum timeouts { EXPLORE, NEVER, STUCK };
enum policy { ARBITRARY, FIFO, LIFO };

struct settings {
        enum timeouts timeouts;
        int spurious;       /* wakeups for each condition variable */
        enum policy policy; /* of mutexes, semaphores and condition variables */
        const char *options[6]; /* of heddle, NULL-terminated */
};

const struct settings *settings_of(int index);

#endif
