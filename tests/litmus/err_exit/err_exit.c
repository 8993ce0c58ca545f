/* err(3) and error(3) end the program with their status (-DCALL); error with status 0 only prints. */
#include <argp.h>
#include <err.h>
#include <errno.h>
#include <error.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>

#ifndef CALL
#define CALL errx(3, "failed")
#endif

static int x;

static inline void use_verr(int status, const char *format, ...)
{
        va_list ap;

        va_start(ap, format);
        verr(status, format, ap);
}

static inline void use_verrx(int status, const char *format, ...)
{
        va_list ap;

        va_start(ap, format);
        verrx(status, format, ap);
}

/* Here libc calls its own exit. */
static inline void use_argp(int status)
{
        char name[] = "program", wrong[] = "--wrong", *argv[] = {name, wrong, NULL};

        argp_err_exit_status = status;
        argp_parse(&(struct argp){0}, 2, argv, 0, NULL, NULL);
}

static void *thread(void *arg)
{
        x = 1;
        return arg;
}

int main(void)
{
        pthread_t t;

        pthread_create(&t, NULL, thread, NULL);
        pthread_join(t, NULL);
        error(0, EINVAL, "only a %s", "message");
        error_at_line(0, 0, "file", 1, "only a message");
        warnx("only a message");
        CALL;
        return 0;
}
