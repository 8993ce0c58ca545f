/* Streams into memory, and text of unknown length. */
#include "restore.h"

#include <stdarg.h>

static char *text;
static size_t size;
static FILE *stream;

static char *make(const char *format, ...)
{
        char *s = NULL;
        va_list ap;

        va_start(ap, format);
        assert(vasprintf(&s, format, ap) > 0);
        va_end(ap);
        return s;
}

static void odd(long n)
{
        if (n == 0) {
                for (int i = 0; i < 100; i++)
                        fprintf(stream, "line %d\n", i);
                fflush(stream);
                assert(size > 700);
        } else {
                char *s = make("%s %d %g", "text", 5, 1e300), in[] = "12 34";
                FILE *f = fmemopen(in, sizeof in, "r");
                int a, b;

                assert(fscanf(f, "%d %d", &a, &b) == 2 && a + b == 46);
                assert(!strncmp(s, "text 5", 6));
        }
}

int main(void)
{
        stream = open_memstream(&text, &size);
        restore_run();
        fclose(stream);
        free(text);
        return 0;
}
