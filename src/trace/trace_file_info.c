/* Frees what a trace file holds beside the trace. */
#include "trace/trace_file_info.h"

#include <stdlib.h>

#include "binary/symbols.h"

static void free_words(char **words)
{
        for (char **word = words; word && *word; word++)
                free(*word);
        free(words);
}

void trace_file_info_fini(struct trace_file_info *info)
{
        free_words(info->argv);
        free_words(info->options);
        free(info->program);
        free(info->schedule);
        free(info->kind);
        free(info->message);
        free(info->races);
        symbols_destroy(info->symbols);
        *info = (struct trace_file_info){0};
}
