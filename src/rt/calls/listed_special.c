/*
 * Calls whose accesses are not a matter of one argument and one size: what they read and write (listed.h).
 *
 * A function here is asked in every stage.  Before the call it computes what the call will do from memory as it is; after
 * it, what the call has done from its result and from what it has written.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "rt/calls/listed.h"
#include "rt/notes.h"
#include "rt/rt.h"
#include "rt/world/modules.h"

static uint32_t char_at(const char *s, size_t i, size_t width)
{
        return width == 1 ? (unsigned char)s[i] : ((const uint32_t *)(const void *)s)[i];
}

static void *pointed(const void *p)
{
        return p ? *(void *const *)p : NULL;
}

/* Numbers: SPECIAL(listed_number, text, end pointer).  The call itself says where the number ends. */
void listed_number(struct listed *c, const struct listed_part *p)
{
        struct call_frame copy __attribute__((aligned(16)));
        const char *s = listed_pointer(c, p->arg), *end = s;
        size_t spaces = 0;
        int error = errno;

        if (c->stage != LISTED_READS) {
                listed_range(c, OP_WRITE, listed_pointer(c, p->a), sizeof(char *));
                return;
        }
        copy = *c->f;
        copy.gp[p->a] = (uint64_t)(uintptr_t)&end;
        listed_make(c->row->real, &copy);
        errno = error;
        while (char_at(s, spaces, p->size) < 128 && isspace((int)char_at(s, spaces, p->size)))
                spaces++;
        spaces = (spaces + 1) * p->size;
        listed_range(c, OP_READ, s, (size_t)(end - s) + p->size > spaces ? (size_t)(end - s) + p->size : spaces);
}

/* The same without an end pointer: SPECIAL(listed_decimal, text); size 2: a point and an exponent may be there. */
void listed_decimal(struct listed *c, const struct listed_part *p)
{
        const unsigned char *s = listed_pointer(c, p->arg);
        size_t n = 0;

        if (c->stage != LISTED_READS)
                return;
        while (isspace(s[n]))
                n++;
        if (s[n] == '+' || s[n] == '-')
                n++;
        while (p->size == 1 ? isdigit(s[n]) : isalnum(s[n]) || s[n] == '.' || s[n] == '-' || s[n] == '+')
                n++;
        listed_range(c, OP_READ, s, n + 1);
}

/* Does the set hold the character? */
static bool in_set(uint32_t x, const char *set, size_t width)
{
        for (size_t i = 0; char_at(set, i, width); i++)
                if (char_at(set, i, width) == x)
                        return true;
        return false;
}

/* The end of what has only characters of the set, or none of them. */
static const char *span(const char *s, const char *set, bool in, size_t width)
{
        while (char_at(s, 0, width) && in_set(char_at(s, 0, width), set, width) == in)
                s += width;
        return s;
}

/* strtok_r and wcstok: text, separators, state. */
void listed_token(struct listed *c, const struct listed_part *p)
{
        const char *s = listed_pointer(c, 0), *set = listed_pointer(c, 1), *end;
        char **state = listed_pointer(c, 2);

        listed_range(c, OP_WRITE, state, sizeof *state);
        if (c->stage == LISTED_WRITES) {
                const char *token = (const char *)c->f->rax;

                end = token ? token + listed_string(token, p->size, SIZE_MAX) - p->size : NULL;
                if (end && *state && *state > end)
                        listed_range(c, OP_WRITE, end, p->size);
                return;
        }
        if (!s) {
                listed_range(c, OP_READ, state, sizeof *state);
                s = *state;
        }
        if (!s)
                return;
        listed_range(c, OP_READ, set, listed_string(set, p->size, SIZE_MAX));
        end = span(span(s, set, true, p->size), set, false, p->size);
        listed_range(c, OP_READ, s, (size_t)(end - s) + p->size);
        if (char_at(end, 0, p->size))
                listed_range(c, OP_WRITE, end, p->size);
}

/* strsep: the address of the text, separators. */
void listed_separate(struct listed *c, const struct listed_part *p)
{
        char **text = listed_pointer(c, 0);
        const char *set = listed_pointer(c, 1), *end;

        (void)p;
        listed_range(c, OP_READ, text, sizeof *text);
        if (c->stage == LISTED_WRITES ? !c->f->rax : !*text)
                return;
        listed_range(c, OP_WRITE, text, sizeof *text);
        if (c->stage == LISTED_WRITES) {
                listed_range(c, OP_WRITE, *text ? *text - 1 : NULL, 1);
                return;
        }
        listed_range(c, OP_READ, set, listed_string(set, 1, SIZE_MAX));
        end = span(*text, set, false, 1);
        listed_range(c, OP_READ, *text, (size_t)(end - *text) + 1);
        if (*end)
                listed_range(c, OP_WRITE, end, 1);
}

/* What getsubopt compares with a name of n characters, up to the token that is the same. */
static void tokens(struct listed *c, char *const *token, const char *name, size_t n)
{
        size_t i = 0, same = 0;

        for (; token[i]; i++) {
                for (same = 0; same < n && token[i][same] == name[same];)
                        same++;
                if (!rt_is_constant((uintptr_t)token[i], same + 1))
                        listed_range(c, OP_READ, token[i], same + 1);
                if (same == n && !token[i][n])
                        break;
        }
        listed_range(c, OP_READ, token, (i + 1) * sizeof *token);
}

/* getsubopt: the address of the text, tokens, the address of the value. */
void listed_suboption(struct listed *c, const struct listed_part *p)
{
        char **text = listed_pointer(c, 0);
        const char *end, *name;

        (void)p;
        if (c->stage == LISTED_WRITES) {
                end = (const char *)c->kept[0];
        } else {
                listed_range(c, OP_READ, text, sizeof *text);
                end = span(*text, ",", false, 1);
                name = span(*text, "=,", false, 1);
                listed_range(c, OP_READ, *text, (size_t)(end - *text) + 1);
                if (!**text)
                        end = NULL;
                else
                        tokens(c, listed_pointer(c, 1), *text, (size_t)(name - *text));
                c->kept[0] = (uintptr_t)end;
        }
        if (!end)
                return;
        listed_range(c, OP_WRITE, text, sizeof *text);
        listed_range(c, OP_WRITE, listed_pointer(c, 2), sizeof(char *));
        if (c->stage == LISTED_WRITES ? *text > end : *end)
                listed_range(c, OP_WRITE, end, 1);
}

/* getdelim: the address of the line, that of its size. */
void listed_line(struct listed *c, const struct listed_part *p)
{
        char **line = listed_pointer(c, 0);
        size_t *size = listed_pointer(c, 1);

        (void)p;
        listed_range(c, OP_READ, line, sizeof *line);
        listed_range(c, OP_READ, size, sizeof *size);
        if (c->stage == LISTED_BOUNDS) {
                c->kept[0] = (uintptr_t)*line;
                c->kept[1] = *size;
                listed_range(c, OP_WRITE, line, sizeof *line);
                listed_range(c, OP_WRITE, size, sizeof *size);
                listed_range(c, OP_WRITE, *line, *line ? *size : 0);
        } else if (c->stage == LISTED_WRITES) {
                listed_range(c, OP_WRITE, c->kept[0] != (uintptr_t)*line ? line : NULL, sizeof *line);
                listed_range(c, OP_WRITE, c->kept[1] != *size ? size : NULL, sizeof *size);
                listed_range(c, OP_WRITE, *line, (long)c->f->rax > 0 ? c->f->rax + 1 : 0);
        }
}

/* asprintf: the address of the text that is made. */
void listed_text(struct listed *c, const struct listed_part *p)
{
        char **text = listed_pointer(c, p->arg);

        listed_range(c, OP_WRITE, text, sizeof *text);
        if (c->stage == LISTED_WRITES)
                listed_range(c, OP_WRITE, *text, (size_t)(int)c->f->rax + 1);
}

/* iconv: handle, addresses of input, its size, output, its size. */
void listed_iconv(struct listed *c, const struct listed_part *p)
{
        void *const in = listed_pointer(c, 1), *const out = listed_pointer(c, 3);
        const size_t *n_in = listed_pointer(c, 2), *n_out = listed_pointer(c, 4);

        (void)p;
        for (unsigned i = 1; i < 5; i++) {
                if (i < 3 && !pointed(in))
                        continue;
                listed_range(c, OP_READ, listed_pointer(c, i), 8);
                listed_range(c, OP_WRITE, listed_pointer(c, i), 8);
        }
        if (pointed(in))
                listed_range(c, OP_READ, pointed(in), *n_in);
        if (c->stage == LISTED_BOUNDS && pointed(out)) {
                c->kept[0] = (uintptr_t)pointed(out);
                listed_range(c, OP_WRITE, pointed(out), *n_out);
        } else if (c->stage == LISTED_WRITES && c->kept[0]) {
                listed_range(c, OP_WRITE, (const void *)c->kept[0], (uintptr_t)pointed(out) - c->kept[0]);
        }
}

/* mbsrtowcs and wcsrtombs: SPECIAL_N(listed_multibyte, destination, most characters, most that are read, width).
 * The address of the source is argument 1. */
void listed_multibyte(struct listed *c, const struct listed_part *p)
{
        const void **src = listed_pointer(c, 1);
        char *dst = listed_pointer(c, p->arg);
        size_t read = p->size == 1 ? 4 : 1, most = p->b == LISTED_NONE ? SIZE_MAX / 8 : listed_arg(c, p->b);

        listed_range(c, OP_READ, src, sizeof *src);
        if (c->stage == LISTED_READS)
                listed_range(c, OP_READ, *src, listed_string(*src, read, most));
        if (!dst)
                return;
        listed_range(c, OP_WRITE, src, sizeof *src);
        if (c->stage == LISTED_BOUNDS)
                listed_range(c, OP_WRITE, dst, listed_arg(c, p->a) * p->size);
        else if (c->stage == LISTED_WRITES)
                listed_range(c, OP_WRITE, dst, (c->f->rax + !*src) * p->size);
}

/* The pieces of an iovec, all of them or the first n bytes. */
static void pieces(struct listed *c, uint32_t op, const struct iovec *v, size_t n, size_t bytes)
{
        for (size_t i = 0; i < n && bytes; i++) {
                size_t k = v[i].iov_len < bytes ? v[i].iov_len : bytes;

                listed_range(c, op, v[i].iov_base, k);
                bytes -= k;
        }
}

/* writev: SPECIAL_N(listed_gather, iovec, count). */
void listed_gather(struct listed *c, const struct listed_part *p)
{
        const struct iovec *v = listed_pointer(c, p->arg);
        size_t n = (size_t)(int)listed_arg(c, p->a);

        listed_range(c, OP_READ, v, n * sizeof *v);
        pieces(c, OP_READ, v, n, SIZE_MAX);
}

/* readv: likewise. */
void listed_scatter(struct listed *c, const struct listed_part *p)
{
        const struct iovec *v = listed_pointer(c, p->arg);
        size_t n = (size_t)(int)listed_arg(c, p->a);

        listed_range(c, OP_READ, v, n * sizeof *v);
        if (c->stage == LISTED_BOUNDS)
                pieces(c, OP_WRITE, v, n, SIZE_MAX);
        else if (c->stage == LISTED_WRITES && (long)c->f->rax > 0)
                pieces(c, OP_WRITE, v, n, c->f->rax);
}

/* sendmsg and recvmsg: SPECIAL_N(listed_message, header); size 1: received. */
void listed_message(struct listed *c, const struct listed_part *p)
{
        const struct msghdr *m = listed_pointer(c, p->arg);
        uint32_t op = p->size ? OP_WRITE : OP_READ;

        listed_range(c, OP_READ, m->msg_iov, m->msg_iovlen * sizeof *m->msg_iov);
        pieces(c, op, m->msg_iov, m->msg_iovlen, c->stage == LISTED_WRITES ? (size_t)c->f->rax : SIZE_MAX);
        listed_range(c, op, m->msg_name, m->msg_namelen);
        listed_range(c, op, m->msg_control, m->msg_controllen);
        listed_range(c, OP_WRITE, p->size ? m : NULL, sizeof *m);
}

/* getsockname: SPECIAL_N(listed_address, address, its length). */
void listed_address(struct listed *c, const struct listed_part *p)
{
        socklen_t *n = listed_pointer(c, p->a);
        void *address = listed_pointer(c, p->arg);

        listed_range(c, OP_READ, n, sizeof *n);
        if (!address || !n)
                return;
        listed_range(c, OP_WRITE, n, sizeof *n);
        if (c->stage == LISTED_BOUNDS)
                c->kept[0] = *n;
        if (c->stage != LISTED_READS)
                listed_range(c, OP_WRITE, address, *n < c->kept[0] ? *n : c->kept[0]);
}

/* Up to the first difference: SPECIAL_N(listed_difference, one, the other, at most, width). */
static void differ(struct listed *c, const struct listed_part *p, bool fold)
{
        const char *x = listed_pointer(c, p->arg), *y = listed_pointer(c, p->a);
        size_t most = p->b == LISTED_NONE ? SIZE_MAX / 8 : listed_arg(c, p->b), n = 0;

        while (c->stage == LISTED_READS && n < most) {
                uint32_t u = char_at(x, n, p->size), v = char_at(y, n, p->size);

                n++;
                if (fold && u < 128 && v < 128) {
                        u = (uint32_t)tolower((int)u);
                        v = (uint32_t)tolower((int)v);
                }
                if (u != v || !u)
                        break;
        }
        listed_range(c, OP_READ, x, n * p->size);
        listed_range(c, OP_READ, y, n * p->size);
}

void listed_difference(struct listed *c, const struct listed_part *p)
{
        differ(c, p, false);
}

void listed_folded(struct listed *c, const struct listed_part *p)
{
        differ(c, p, true);
}

/* strerror_r: SPECIAL_N(listed_returned, buffer, its size): written if it is what is returned. */
void listed_returned(struct listed *c, const struct listed_part *p)
{
        char *to = listed_pointer(c, p->arg);

        if (c->stage == LISTED_BOUNDS)
                listed_range(c, OP_WRITE, to, listed_arg(c, p->a));
        else if (c->stage == LISTED_WRITES && c->f->rax == (uint64_t)(uintptr_t)to)
                listed_range(c, OP_WRITE, to, listed_string(to, 1, listed_arg(c, p->a)));
}

/* fmemopen: SPECIAL_N(listed_kept, buffer, size): libc uses it from now on, unseen, which matters if threads share it. */
void listed_kept(struct listed *c, const struct listed_part *p)
{
        listed_range(c, OP_READ, listed_pointer(c, p->arg), listed_arg(c, p->a));
        if (c->stage == LISTED_BOUNDS)
                listed_range(c, OP_WRITE, listed_pointer(c, p->arg), listed_arg(c, p->a));
        else if (c->stage == LISTED_WRITES && c->n_saved)
                rt_note_incomplete(REASON_CALL, c->row->name);
}

/* inet_pton: SPECIAL_N(listed_ip, address): of the family that argument 0 is; size 1: it is written. */
void listed_ip(struct listed *c, const struct listed_part *p)
{
        listed_range(c, p->size ? OP_WRITE : OP_READ, listed_pointer(c, p->arg),
                     (int)listed_arg(c, 0) == AF_INET6 ? 16 : 4);
}

/* ioctl: the number of a request says what is accessed, but that of old ones does not. */
void listed_ioctl(struct listed *c, const struct listed_part *p)
{
        static const struct {
                uint16_t request;
                uint8_t in, out;
        } old[] = {{FIONREAD, 0, 4},  {FIONBIO, 4, 0},   {FIOASYNC, 4, 0},   {FIOCLEX, 0, 0},
                   {FIONCLEX, 0, 0},  {TIOCOUTQ, 0, 4},  {TIOCGWINSZ, 0, 8}, {TIOCSWINSZ, 8, 0},
                   {TIOCGPGRP, 0, 4}, {TIOCSPGRP, 4, 0}, {TCGETS, 0, 36},    {TCSETS, 36, 0},
                   {TCSETSW, 36, 0},  {TCSETSF, 36, 0},  {TIOCSCTTY, 0, 0},  {TIOCNOTTY, 0, 0}};
        uint32_t request = (uint32_t)listed_arg(c, 1);
        void *arg = listed_pointer(c, 2);

        (void)p;
        for (unsigned i = 0; i < sizeof old / sizeof *old; i++) {
                if (old[i].request != request)
                        continue;
                listed_range(c, OP_READ, arg, old[i].in);
                listed_range(c, OP_WRITE, arg, old[i].out);
                return;
        }
        if (_IOC_DIR(request) & _IOC_WRITE)
                listed_range(c, OP_READ, arg, _IOC_SIZE(request));
        if (_IOC_DIR(request) & _IOC_READ)
                listed_range(c, OP_WRITE, arg, _IOC_SIZE(request));
        if (!_IOC_DIR(request) && c->stage == LISTED_READS)
                rt_note_incomplete(REASON_CALL_IOCTL, NULL);
}
