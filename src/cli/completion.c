/*
 * The completions, made from the table of options and the list of commands, so that they know what this build knows.
 */
#include "cli/completion.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/help.h"
#include "cli/option/options.h"
#include "cli/status.h"

/* Commands with options in the table. */
static const struct {
        const char *name;
        enum options_command bit;
} commands[] = {{"check", OPTIONS_CHECK},
                {"replay", OPTIONS_REPLAY},
                {"report", OPTIONS_REPORT},
                {"gdb", OPTIONS_GDB},
                {"explain", OPTIONS_EXPLAIN}};

#define N_COMMANDS (sizeof commands / sizeof *commands)

static bool offered(const struct options_row *row, enum options_command bit)
{
        return (row->commands & bit) && row->kind != OPTIONS_LATER;
}

/* Are there words to offer as values? */
static bool has_words(const struct options_row *row)
{
        return (row->kind == OPTIONS_WORD || row->kind == OPTIONS_TEXT || row->kind == OPTIONS_KINDS) && row->words[0];
}

static void bash_command(const char *name, enum options_command bit)
{
        size_t n;
        const struct options_row *rows = options_rows(&n);

        for (size_t i = 0; i < n; i++) {
                if (!offered(&rows[i], bit) || !rows[i].argument)
                        continue;
                printf("        '%s --%s')", name, rows[i].name);
                if (has_words(&rows[i]))
                        printf(" COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", rows[i].words);
                else if (rows[i].kind == OPTIONS_TEXT)
                        puts(" return ;;");
                else
                        puts(" compopt +o default; return ;;");
        }
}

static void bash(void)
{
        size_t n;
        const struct options_row *rows = options_rows(&n);

        printf("# bash completion for heddle %s; made by 'heddle completion bash'.\n"
               "_heddle() {\n"
               "        local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}\n"
               "        COMPREPLY=()\n"
               "        if [ \"$COMP_CWORD\" = 1 ]; then\n"
               "                COMPREPLY=($(compgen -W '%s help --help --version' -- \"$cur\"))\n"
               "                return\n"
               "        fi\n"
               "        case \"$command $prev\" in\n",
               HEDDLE_VERSION, help_commands());
        for (size_t c = 0; c < N_COMMANDS; c++)
                bash_command(commands[c].name, commands[c].bit);
        printf("        'help help') COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n"
               "        'completion completion') COMPREPLY=($(compgen -W 'bash zsh' -- \"$cur\")); return ;;\n"
               "        'cc --compiler' | 'c++ --compiler') COMPREPLY=($(compgen -W 'clang gcc' -- \"$cur\")); return "
               ";;\n"
               "        esac\n"
               "        [[ $cur == -* ]] || return\n"
               "        case $command in\n",
               help_commands());
        for (size_t c = 0; c < N_COMMANDS; c++) {
                printf("        %s) COMPREPLY=($(compgen -W '", commands[c].name);
                for (size_t i = 0; i < n; i++)
                        if (offered(&rows[i], commands[c].bit))
                                printf("--%s ", rows[i].name);
                puts("' -- \"$cur\")) ;;");
        }
        fputs("        cc | c++) COMPREPLY=($(compgen -W '--compiler --keep-ir --record' -- \"$cur\")) ;;\n"
              "        record) COMPREPLY=($(compgen -W '-o --until-failure --timeout --jitter --seed --ring' -- "
              "\"$cur\")) "
              ";;\n"
              "        reproduce) COMPREPLY=($(compgen -W '--time --memory --verify --json --html --sarif --trace "
              "--quiet "
              "--verbose' -- \"$cur\")) ;;\n"
              "        static) COMPREPLY=($(compgen -W '--json --dot --why' -- \"$cur\")) ;;\n"
              "        esac\n"
              "}\n"
              "complete -o default -F _heddle heddle\n",
              stdout);
}

/* A text inside '[...]' of an _arguments specification, in single quotes. */
static void zsh_text(const char *text)
{
        for (; *text; text++) {
                if (*text == '\'')
                        fputs("'\\''", stdout);
                else if (*text == '[' || *text == ']' || *text == ':' || *text == '\\')
                        printf("\\%c", *text);
                else
                        putchar(*text);
        }
}

static void zsh_command(const char *name, enum options_command bit)
{
        size_t n;
        const struct options_row *rows = options_rows(&n);

        printf("        %s)\n                _arguments \\\n", name);
        for (size_t i = 0; i < n; i++) {
                if (!offered(&rows[i], bit))
                        continue;
                printf("                        '--%s%s[", rows[i].name, rows[i].argument ? "=" : "");
                zsh_text(rows[i].help);
                putchar(']');
                if (rows[i].argument) {
                        putchar(':');
                        zsh_text(rows[i].argument);
                        if (has_words(&rows[i]))
                                printf(":(%s)", rows[i].words);
                        else
                                fputs(rows[i].kind == OPTIONS_TEXT ? ":_files" : ": ", stdout);
                }
                puts("' \\");
        }
        puts("                        '*:file:_files' ;;");
}

static void zsh(void)
{
        printf("#compdef heddle\n"
               "# zsh completion for heddle %s; made by 'heddle completion zsh'.\n"
               "_heddle() {\n"
               "        if (( CURRENT == 2 )); then\n"
               "                compadd -- %s help --help --version\n"
               "                return\n"
               "        fi\n"
               "        local command=$words[2]\n"
               "        shift words\n"
               "        (( CURRENT-- ))\n"
               "        case $command in\n",
               HEDDLE_VERSION, help_commands());
        for (size_t c = 0; c < N_COMMANDS; c++)
                zsh_command(commands[c].name, commands[c].bit);
        printf("        help) compadd -- %s ;;\n"
               "        completion) compadd -- bash zsh ;;\n"
               "        *) _files ;;\n"
               "        esac\n"
               "}\n"
               "if [ \"$funcstack[1]\" = _heddle ]; then _heddle \"$@\"; else compdef _heddle heddle; fi\n",
               help_commands());
}

int completion_main(char **argv)
{
        if (argv[0] && strcmp(argv[0], "--help") == 0)
                return help_command(stdout, "completion", false);
        if (argv[0] && !argv[1] && strcmp(argv[0], "bash") == 0)
                bash();
        else if (argv[0] && !argv[1] && strcmp(argv[0], "zsh") == 0)
                zsh();
        else
                return status_usage("name the shell: heddle completion bash, or heddle completion zsh");
        return STATUS_SAFE;
}
