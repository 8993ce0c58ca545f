/*
 * Compilers tell the assembler which lines come from inline assembly: those between #APP and #NO_APP.  Each such block gets a
 * label before and behind it, and the addresses of both go to a section that the explorer reads (trace/blocks.h):
 *
 *      .debug_heddle_asm       8 bytes: begin of a block, 8 bytes: its end, ...
 *
 * The name makes it debug information for the linker, so entries of functions that are not linked (templates, unused sections)
 * are cleared, and nothing of it is loaded.  That there was such a section is recorded by an empty note, .note.heddle, which stays
 * where debug information is stripped.
 *
 * The machine's `as` does the work, with the changed text as its standard input.  Should it refuse that (a macro may be begun
 * in one block and ended in another), it is given the text as it was, and what it says then is what it says without heddle.
 */
#include "cli/cc/assembler.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/list.h"
#include "cli/install_paths.h"
#include "cli/status.h"
#include "cli/option/value.h"

struct assembly {
        struct list words; /* for the machine's assembler, without the input */
        const char *input; /* NULL: standard input */
        bool unclear;      /* several inputs, or none that is text */
        char *program;     /* the machine's assembler */
        char *text;        /* of the input */
        size_t size;
};

/* The first `as` that is not this program: where compilers look, then in PATH. */
static char *find_program(void)
{
        const char *const lists[] = {getenv("COMPILER_PATH"), place_search_path()};
        char *self = list_path("/proc/self/exe");

        for (size_t i = 0; i < 2; i++) {
                const char *path = lists[i];
                while (path && *path) {
                        size_t n = strcspn(path, ":");
                        char *as = list_format("%.*s/as", (int)n, path), *real = list_path(as);
                        if (real && place_is_program(as) && (!self || strcmp(real, self) != 0))
                                return as;
                        path += n + (path[n] == ':');
                }
        }
        return NULL;
}

static void parse(struct assembly *a, char **argv)
{
        static const char with_value[] = "-o -I --defsym --MD --debug-prefix-map";

        list_add(&a->words, a->program);
        for (size_t i = 0, inputs = 0; argv[i]; i++) {
                if (argv[i][0] != '-' || argv[i][1] == '\0') {
                        a->input = strcmp(argv[i], "-") == 0 ? NULL : argv[i];
                        a->unclear |= ++inputs > 1 || argv[i][0] == '@';
                        continue;
                }
                list_add(&a->words, argv[i]);
                if (value_word(with_value, argv[i]) >= 0 && argv[i + 1])
                        list_add(&a->words, argv[++i]);
        }
}

static bool read_input(struct assembly *a)
{
        int fd = a->input ? open(a->input, O_RDONLY | O_CLOEXEC) : 0;
        size_t room = 1 << 16;
        ssize_t n = 0;

        if (fd < 0)
                return false;
        a->text = malloc(room + 1);
        while (a->text && (n = read(fd, a->text + a->size, room - a->size)) != 0) {
                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        break;
                a->size += (size_t)n;
                if (a->size == room)
                        a->text = realloc(a->text, (room *= 2) + 1);
        }
        if (fd > 0)
                close(fd);
        if (!a->text || n < 0)
                return false;
        a->text[a->size] = '\0';
        for (char *zero = a->text; (zero = memchr(zero, '\0', (size_t)(a->text + a->size - zero)));)
                *zero = ' '; /* clang writes the bytes of constants into comments */
        return true;
}

/* Is the word all there is on the line? */
static bool line_is(const char *at, const char *word)
{
        size_t n = strlen(word);

        at += strspn(at, " \t");
        return strncmp(at, word, n) == 0 && at[n + strspn(at + n, " \t\r")] == '\n';
}

static bool line_begins(const char *at, const char *word)
{
        return strncmp(at + strspn(at, " \t"), word, strlen(word)) == 0;
}

static const char *line_after(const char *at)
{
        const char *end = strchr(at, '\n');

        return end ? end + 1 : at + strlen(at);
}

/* Nothing but comments and places. */
static bool is_empty(const char *at)
{
        at += strspn(at, " \t\r");
        return *at == '\n' || *at == '#';
}

/* Sections of a type that only LLVM knows are for its linker, and empty here: others do not need them. */
static void copy_line(const char *at, const char *next, FILE *to)
{
        const char *type = memmem(at, (size_t)(next - at), "@llvm_", 6);

        if (!type || !line_begins(at, ".section")) {
                fwrite(at, 1, (size_t)(next - at), to);
                return;
        }
        fwrite(at, 1, (size_t)(type - at), to);
        fprintf(to, "@progbits\n");
}

/* Is the block that begins here a call of the runtime, which the instrumenter inserted? */
static bool is_own(const char *at)
{
        const char *end = strstr(at, "#NO_APP"), *call = strstr(at, "__heddle_access_at_here");

        return end && call && call < end;
}

/* Copies the text with its blocks marked; false: that cannot be done. */
static bool mark(const char *text, FILE *to)
{
        int n = 0;
        bool inside = false;

        for (const char *at = text, *next; *at; at = next) {
                next = line_after(at);
                if (inside && line_is(at, "#NO_APP")) {
                        fprintf(to, ".Lheddle_asm_end%d:\n", n++);
                        inside = false;
                }
                copy_line(at, next, to);
                if (inside || !line_is(at, "#APP"))
                        continue;
                for (at = next; is_empty(at) && !line_is(at, "#NO_APP"); at = line_after(at))
                        ;
                inside = *at && !line_is(at, "#NO_APP") && !is_own(at);
                if (inside)
                        fprintf(to, ".Lheddle_asm_begin%d:\n", n);
        }
        if (inside || n == 0)
                return !inside && !ferror(to);
        fprintf(to, "\n\t.section .debug_heddle_asm,\"\",@progbits\n");
        for (int i = 0; i < n; i++)
                fprintf(to, "\t.quad .Lheddle_asm_begin%d, .Lheddle_asm_end%d\n", i, i);
        fprintf(to, "\t.section .note.heddle,\"a\",@note\n\t.balign 4\n\t.long 7, 0, 1\n\t.asciz \"heddle\"\n"
                    "\t.balign 4\n");
        return !ferror(to);
}

/* A file without a name; read from its begin. */
static FILE *scratch(void)
{
        int fd = memfd_create("assembly", MFD_CLOEXEC);

        return fd < 0 ? NULL : fdopen(fd, "w+");
}

static bool rewound(FILE *f)
{
        return fflush(f) == 0 && lseek(fileno(f), 0, SEEK_SET) == 0;
}

/* The machine's assembler with the marked text.  False: it does not want it; nothing was said. */
static bool assemble_marked(struct assembly *a)
{
        FILE *text = scratch(), *said = scratch();
        int status = 1;
        pid_t pid;

        if (!text || !said || !mark(a->text, text) || !rewound(text))
                return false;
        pid = fork();
        if (pid == 0) {
                dup2(fileno(text), 0);
                dup2(fileno(said), 2);
                execv(a->program, a->words.words);
                _exit(127);
        }
        while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
                ;
        if (pid < 0 || status != 0)
                return false;
        rewind(said);
        for (int c; (c = getc(said)) != EOF;)
                putc(c, stderr);
        return true;
}

int assembler_main(char **argv)
{
        struct assembly a = {.program = find_program()};

        if (!a.program)
                return status_usage("the assembler (as) is not installed; install binutils");
        parse(&a, argv);
        if (!a.unclear && read_input(&a) && (strstr(a.text, "#APP") || strstr(a.text, "@llvm_")) && assemble_marked(&a))
                return STATUS_SAFE;
        if (!a.unclear && !a.input) { /* it was read: once more */
                FILE *again = scratch();
                if (!again || fwrite(a.text, 1, a.size, again) != a.size || !rewound(again) ||
                    dup2(fileno(again), 0) < 0)
                        return status_internal("cannot pass the source to %s: %s", a.program, strerror(errno));
        }
        execv(a.program, argv - 1);
        return status_usage("cannot start %s: %s", a.program, strerror(errno));
}
