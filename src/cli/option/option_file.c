/*
 * The file .heddle.  It is not trusted: every line is words or nothing, and the words are checked like those of a
 * command line.
 */
#include "cli/option/option_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void optfile_split(struct list *words, char *line)
{
        while (*(line += strspn(line, " \t\r")) && *line != '#') {
                char *out = line, quote = '\0';
                list_add(words, line);
                for (; *line && (quote || !strchr(" \t\r", *line)); line++) {
                        if (quote ? *line == quote : (*line == '"' || *line == '\''))
                                quote = quote ? '\0' : *line;
                        else
                                *out++ = *line;
                }
                if (*line)
                        line++;
                *out = '\0';
        }
}

int optfile_read(struct list *words, const char *path)
{
        FILE *f = fopen(path, "re");
        char *line = NULL;
        size_t room = 0;

        if (!f)
                return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
        for (ssize_t n; (n = getline(&line, &room, f)) >= 0; line = NULL, room = 0) {
                if (n > 0 && line[n - 1] == '\n')
                        line[n - 1] = '\0';
                optfile_split(words, line);
        }
        free(line);
        int err = ferror(f) ? -1 : 0;
        fclose(f);
        return err;
}
