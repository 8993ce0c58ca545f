/* Width, character set and colour.  A column is a character of UTF-8: names of programs have no wide ones. */
#include "report/style.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/shown.h"

static bool locale_is_utf8(void)
{
        static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

        for (int i = 0; i < 3; i++) {
                const char *v = getenv(names[i]);
                if (v && *v)
                        return strstr(v, "UTF-8") || strstr(v, "utf8") || strstr(v, "utf-8") || strstr(v, "UTF8");
        }
        return false;
}

void style_init(struct style *s, FILE *f, bool color)
{
        const char *columns = getenv("COLUMNS");
        struct winsize ws;
        int fd = fileno(f);
        long n = columns ? strtol(columns, NULL, 10) : 0;

        if (n <= 0 && fd >= 0 && ioctl(fd, TIOCGWINSZ, &ws) == 0)
                n = ws.ws_col;
        if (n <= 0)
                n = 80;
        *s = (struct style){
                .f = f,
                .width = n < 40    ? 40
                         : n > 240 ? 240
                                   : (uint32_t)n,
                .unicode = locale_is_utf8(),
                .color = color,
        };
}

uint32_t style_columns(const char *text, uint32_t bytes)
{
        uint32_t n = 0;

        for (uint32_t i = 0; i < bytes; i++)
                n += ((unsigned char)text[i] & 0xc0) != 0x80;
        return n;
}

uint32_t style_break(const char *text, uint32_t width)
{
        uint32_t i = 0, columns = 0, space = 0;

        for (; text[i]; i++) {
                bool begins = ((unsigned char)text[i] & 0xc0) != 0x80;
                if (begins && columns == width)
                        break;
                columns += begins;
                if (text[i] == ' ' && i > 0)
                        space = i;
        }
        if (!text[i] || text[i] == ' ')
                return i;
        return space ? space : i ? i : 1;
}

void style_put(const struct style *s, enum style_color color, const char *text, uint32_t bytes, uint32_t width)
{
        static const char *const codes[] = {
                [STYLE_PLAIN] = "",         [STYLE_BOLD] = "\033[1m",   [STYLE_DIM] = "\033[2m",
                [STYLE_RED] = "\033[1;31m", [STYLE_GREEN] = "\033[32m", [STYLE_YELLOW] = "\033[33m",
        };
        bool colored = s->color && color != STYLE_PLAIN && bytes > 0;

        if (colored)
                fputs(codes[color], s->f);
        /* Names and messages come from the program: no control character of theirs reaches the terminal. */
        shown_put(s->f, text, bytes);
        if (colored)
                fputs("\033[0m", s->f);
        for (uint32_t n = style_columns(text, bytes); n < width; n++)
                fputc(' ', s->f);
}

bool style_terminal(int fd)
{
        const char *term = getenv("TERM");

        return term && *term && strcmp(term, "dumb") != 0 && isatty(fd);
}
