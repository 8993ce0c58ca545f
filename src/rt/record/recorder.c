/* See recorder.h.  A thread's word has a 1 before its bits; in entries it has none. */
#include "rt/record/recorder.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "rt/program_code.h"

#define SHORT_BITS  8u  /* with delays: at most so many bits of an entry */
#define LONG_DELAY  64u /* one of so many delays is long */
#define DELAY_SPINS 4096u
#define DELAY_NS    200000
#define COPY_TRIES  100000u
#define PATIENCE    32u
#define TIMED_WORDS 4u /* one of so many full words has a time: reading it costs more than the rest of an entry */

RT_EXPORT extern __thread uint64_t __heddle_path;
__thread uint64_t __heddle_path __attribute__((tls_model("initial-exec"))) = 1;

static __thread struct rec_thread *self __attribute__((tls_model("initial-exec")));
static __thread struct rec_entry *ring __attribute__((tls_model("initial-exec")));
static __thread uint64_t ring_mask __attribute__((tls_model("initial-exec")));
static __thread uint32_t fulls __attribute__((tls_model("initial-exec")));  /* last entries that are full words */
static __thread uint32_t period __attribute__((tls_model("initial-exec"))); /* words that repeat; 0: none do ... */
static __thread uint32_t next __attribute__((tls_model("initial-exec")));   /* ... and the one that is expected */
static __thread uint32_t misses __attribute__((tls_model("initial-exec"))); /* words that were none of the last ones */
static __thread struct rec_thread *interrupted __attribute__((tls_model("initial-exec"))); /* by a signal handler ... */
static __thread uint64_t interrupted_word __attribute__((tls_model("initial-exec")));      /* ... with this word */
static __thread uint32_t children __attribute__((tls_model("initial-exec")));
static __thread uint64_t random_state __attribute__((tls_model("initial-exec")));

struct rec_memory *rec;
bool rec_delays;
static pid_t rec_process;

/* What bodies that run natively compare functions with: where the code of the executable is, and its size. */
RT_EXPORT extern uint64_t __heddle_code[2];
uint64_t __heddle_code[2];

void *recorder_real(const char *name)
{
        return dlsym(RTLD_NEXT, name);
}

static uint32_t draw(void)
{
        random_state ^= random_state << 13;
        random_state ^= random_state >> 7;
        random_state ^= random_state << 17;
        return (uint32_t)(random_state >> 20);
}

/* A delay by chance: most are short, some long enough for others to run. */
static void delay(void)
{
        uint32_t n = draw();

        if (n % 4)
                return;
        if (n / 4 % LONG_DELAY == 0)
                nanosleep(&(struct timespec){.tv_nsec = draw() % DELAY_NS}, NULL);
        else if (n / 4 % 8 == 0)
                sched_yield();
        else
                for (uint32_t i = draw() % DELAY_SPINS; i; i--)
                        _mm_pause();
}

/* The word that the next bits go to. */
static void renew(void)
{
        uint32_t taken = self && rec->jitter ? REC_BITS - 1 - draw() % SHORT_BITS : 0;

        if (self)
                self->taken = taken;
        __atomic_store_n(&__heddle_path, UINT64_C(1) << taken, __ATOMIC_RELEASE);
}

static void put(enum rec_kind kind, uint64_t word, uint32_t bits, bool timed)
{
        struct rec_thread *t = self;
        struct rec_entry *e = &ring[t->n & ring_mask];
        uint32_t core = 0;
        uint64_t now = timed ? __rdtscp(&core) - rec->start : 0;

        fulls = 0;
        period = 0;
        t->bits += kind == REC_BRANCHES ? bits : 0;
        e->word = word;
        e->info = REC_INFO(kind, bits, core & 1023, now >> 6);
        __atomic_store_n(&t->n, t->n + 1, __ATOMIC_RELEASE);
}

/* The bits that are in the word become an entry. */
static void flush(bool timed)
{
        uint64_t w = __heddle_path;
        uint32_t all = w ? 63u - (uint32_t)__builtin_clzll(w) : 0;

        if (!self) {
                renew();
                return;
        }
        if (all <= self->taken)
                return;
        __atomic_store_n(&self->busy, 1, __ATOMIC_RELAXED); /* the machine keeps the order of stores */
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        put(REC_BRANCHES, w & ((UINT64_C(1) << (all - self->taken)) - 1), all - self->taken, timed);
        renew();
        __atomic_store_n(&self->busy, 0, __ATOMIC_RELEASE);
}

/* Is a full word one of the last ones?  Where none was for long, few are compared. */
static uint32_t period_of(const struct rec_thread *t, uint64_t word)
{
        if (misses >= PATIENCE && misses % PATIENCE) {
                misses++;
                return 0;
        }
        for (uint32_t k = 1; k <= REC_PERIOD && k <= fulls; k++)
                if (ring[(t->n - k) & ring_mask].word == word) {
                        misses = 0;
                        return k;
                }
        misses++;
        return 0;
}

/* Is a full word what the words before it make expect?  Then it is only counted: a thread that waits in a loop does not fill its
 * ring. */
static bool repeats(struct rec_thread *t, uint64_t word)
{
        if (!period && (period = period_of(t, word)) != 0) {
                ring[t->n & ring_mask] = (struct rec_entry){0, REC_INFO(REC_REPEAT, period, 0, 0)};
                __atomic_store_n(&t->n, t->n + 1, __ATOMIC_RELEASE);
                next = 0;
        }
        if (!period || ring[(t->n - 1 - period + next) & ring_mask].word != word)
                return false;
        __atomic_store_n(&ring[(t->n - 1) & ring_mask].word, ring[(t->n - 1) & ring_mask].word + 1, __ATOMIC_RELEASE);
        next = next + 1 == period ? 0 : next + 1;
        return true;
}

static void add_full(struct rec_thread *t, uint64_t word)
{
        struct rec_entry *e = &ring[t->n & ring_mask];
        bool timed = period || t->n % TIMED_WORDS == 0;
        uint32_t core = 0;
        uint64_t now = timed ? __rdtscp(&core) - rec->start : 0;

        fulls = period ? 1 : fulls + 1;
        period = 0;
        e->word = word;
        e->info = REC_INFO(REC_BRANCHES, REC_BITS, core & 1023, now >> 6);
        __atomic_store_n(&t->n, t->n + 1, __ATOMIC_RELEASE);
}

void recorder_full(void) __attribute__((used, visibility("hidden")));
void recorder_full(void)
{
        struct rec_thread *t = self;
        uint64_t word = __heddle_path & ~(UINT64_C(1) << REC_BITS);

        if (!t || t->taken) {
                flush(true);
                if (t && rec->jitter)
                        delay();
                return;
        }
        __atomic_store_n(&t->busy, 1, __ATOMIC_RELAXED); /* as in flush() */
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        if (!repeats(t, word))
                add_full(t, word);
        __atomic_store_n(&t->bits, t->bits + REC_BITS, __ATOMIC_RELEASE);
        __atomic_store_n(&__heddle_path, 1, __ATOMIC_RELEASE);
        __atomic_store_n(&t->busy, 0, __ATOMIC_RELEASE);
}

/* Appends bits, of which the last one is lowest. */
void recorder_bits(uint64_t value, uint64_t n) __attribute__((used, visibility("hidden")));
void recorder_bits(uint64_t value, uint64_t n)
{
        while (n) {
                uint64_t room = (uint64_t)__builtin_clzll(__heddle_path), now = n < room ? n : room;

                n -= now;
                __heddle_path = __heddle_path << now | (value >> n & ((UINT64_C(1) << now) - 1));
                if (now == room)
                        recorder_full();
        }
}

/* Calls a function from code that has live values in all integer registers but r11: the calling convention preserve_most. */
#define PRESERVES_MOST(name, function)                                                                                 \
        __asm__(".globl " name "\n"                                                                                    \
                ".type " name ", @function\n" name ":\n"                                                               \
                "        .cfi_startproc\n"                                                                             \
                "        pushq %rbp\n"                                                                                 \
                "        .cfi_adjust_cfa_offset 8\n"                                                                   \
                "        movq %rsp, %rbp\n"                                                                            \
                "        pushq %rax\n        pushq %rcx\n        pushq %rdx\n        pushq %rsi\n        pushq %rdi\n" \
                "        pushq %r8\n        pushq %r9\n        pushq %r10\n"                                           \
                "        andq $-16, %rsp\n"                                                                            \
                "        call " function "\n"                                                                          \
                "        leaq -64(%rbp), %rsp\n"                                                                       \
                "        popq %r10\n        popq %r9\n        popq %r8\n"                                              \
                "        popq %rdi\n        popq %rsi\n        popq %rdx\n        popq %rcx\n        popq %rax\n"      \
                "        popq %rbp\n"                                                                                  \
                "        .cfi_adjust_cfa_offset -8\n"                                                                  \
                "        ret\n"                                                                                        \
                "        .cfi_endproc\n"                                                                               \
                ".size " name ", . - " name "\n")
PRESERVES_MOST("__heddle_path_full", "recorder_full");
PRESERVES_MOST("__heddle_path_bits", "recorder_bits");

RT_EXPORT void __heddle_branch(uint64_t value, uint32_t bits);
void __heddle_branch(uint64_t value, uint32_t bits)
{
        recorder_bits(value, bits);
}

RT_EXPORT void __heddle_branch_call(uint64_t function);
void __heddle_branch_call(uint64_t function)
{
        recorder_bits(program_code_bits(function, __heddle_code[0], __heddle_code[1]), CALL_BITS);
}

uint32_t recorder_create(void)
{
        uint32_t n;

        if (!rec || (!self && rec->n_threads))
                return REC_MAX_THREADS;
        n = __atomic_fetch_add(&rec->n_threads, 1, __ATOMIC_RELAXED);
        if (n >= REC_MAX_THREADS)
                return REC_MAX_THREADS;
        rec->threads[n].parent = self ? (uint32_t)(self - rec->threads) : 0;
        rec->threads[n].nth = self ? ++children : 0;
        rec->threads[n].last_n = UINT64_MAX;
        return n;
}

void recorder_begin(uint32_t number)
{
        if (number >= REC_MAX_THREADS)
                return;
        self = &rec->threads[number];
        ring = &rec->entries[(uint64_t)number * rec->ring];
        ring_mask = rec->ring - 1;
        self->word_at = (uint64_t)(uintptr_t)&__heddle_path;
        random_state = (rec->jitter + UINT64_C(0x9e3779b97f4a7c15)) * (number + 1);
        renew();
        put(REC_CREATE, 0, 0, true);
        __atomic_store_n(&self->state, REC_RUNS, __ATOMIC_RELEASE);
}

void recorder_end(void)
{
        if (!self)
                return;
        flush(true);
        __atomic_store_n(&self->state, REC_ENDED, __ATOMIC_RELEASE);
        self = NULL;
}

struct rec_thread *recorder_pause(void)
{
        struct rec_thread *t = self;

        if (!t)
                return NULL;
        self = NULL;
        interrupted = t;
        interrupted_word = __heddle_path;
        t->word_at = (uint64_t)(uintptr_t)&interrupted_word;
        __heddle_path = 1;
        return t;
}

void recorder_continue(struct rec_thread *thread)
{
        struct rec_thread *t = thread ? thread : interrupted;

        if (!rec || !t || t != interrupted)
                return;
        __heddle_path = interrupted_word;
        t->word_at = (uint64_t)(uintptr_t)&__heddle_path;
        interrupted = NULL;
        self = t;
}

static void note(enum rec_kind kind, uint64_t word, uint32_t count)
{
        if (!self)
                return;
        flush(false);
        put(kind, word, count, true);
        if (rec->jitter)
                delay();
}

void recorder_note(enum rec_kind kind, const void *object)
{
        note(kind, (uint64_t)(uintptr_t)object, 0);
}

void recorder_input(enum rec_input kind, uint64_t value)
{
        note(REC_INPUT, value, kind);
}

/* Up to eight bytes, which may be of several buffers; *at is an offset in the first one. */
static uint64_t next_word(const struct iovec **v, size_t *at, size_t n)
{
        uint64_t word = 0;
        size_t size = n < sizeof word ? n : sizeof word;

        for (size_t i = 0; i < size; i++) {
                for (; *at == (*v)->iov_len; ++*v)
                        *at = 0;
                word |= (uint64_t)((const unsigned char *)(*v)->iov_base)[(*at)++] << 8 * i;
        }
        return word;
}

void recorder_read(uint64_t head, const struct iovec *data, size_t n)
{
        size_t at = 0;

        if (!self)
                return;
        flush(false);
        put(REC_READ, head, 0, true);
        for (size_t i = 0; i < n; i += sizeof(uint64_t))
                put(REC_DATA, next_word(&data, &at, n - i), 0, false);
        if (rec->jitter)
                delay();
}

bool recorder_fails(enum rec_failure kind)
{
        const struct rec_thread *t;

        if (!rec || getpid() != rec_process || __atomic_exchange_n(&rec->failed, 1, __ATOMIC_ACQ_REL))
                return false;
        rec->kind = kind;
        t = self ? self : interrupted;
        rec->thread = t ? (uint32_t)(t - rec->threads) : REC_MAX_THREADS;
        return true;
}

/* A thread that still runs may write an entry meanwhile: then once more. */
static void copy_last(struct rec_thread *t)
{
        const struct rec_entry *entries = &rec->entries[(uint64_t)(t - rec->threads) * rec->ring];
        bool busy;

        for (uint32_t i = 0; i < COPY_TRIES; i++) {
                t->last_n = __atomic_load_n(&t->n, __ATOMIC_ACQUIRE);
                t->last_bits = __atomic_load_n(&t->bits, __ATOMIC_ACQUIRE);
                busy = __atomic_load_n(&t->busy, __ATOMIC_ACQUIRE) && t != self && t != interrupted;
                t->last_repeat = t->last_n ? entries[(t->last_n - 1) & (rec->ring - 1)].word : 0;
                t->last = __atomic_load_n((uint64_t *)(uintptr_t)t->word_at, __ATOMIC_ACQUIRE);
                if (!busy && __atomic_load_n(&t->n, __ATOMIC_ACQUIRE) == t->last_n &&
                    __atomic_load_n(&t->bits, __ATOMIC_ACQUIRE) == t->last_bits)
                        break;
                sched_yield();
        }
}

void recorder_freeze(void)
{
        uint32_t n = __atomic_load_n(&rec->n_threads, __ATOMIC_ACQUIRE);

        for (uint32_t i = 0; i < n && i < REC_MAX_THREADS; i++)
                if (__atomic_load_n(&rec->threads[i].state, __ATOMIC_ACQUIRE) == REC_RUNS)
                        copy_last(&rec->threads[i]);
}

/* The child of a fork is another process: what it does is not recorded. */
static void detach(void)
{
        rec = NULL;
        rec_delays = false;
        self = interrupted = NULL;
}

static int note_module(struct dl_phdr_info *info, size_t size, void *arg)
{
        struct rec_module *m = &rec->modules[rec->n_modules];

        (void)size;
        (void)arg;
        if (rec->n_modules == REC_MAX_MODULES)
                return 1;
        m->base = info->dlpi_addr;
        if (!rec->n_modules) {
                ssize_t n = readlink("/proc/self/exe", m->path, REC_PATH - 1);
                m->path[n > 0 ? n : 0] = '\0';
        } else {
                strncpy(m->path, info->dlpi_name, REC_PATH - 1);
        }
        rec->n_modules++;
        return 0;
}

__attribute__((constructor)) static void attach(void)
{
        const char *text = getenv(REC_ENV);
        int fd = text ? atoi(text) : -1;
        struct program_code code = {0};
        struct stat st;
        void *at;

        dl_iterate_phdr(program_code_find, &code);
        __heddle_code[0] = code.lo;
        __heddle_code[1] = code.hi - code.lo;
        unsetenv(REC_ENV); /* not of the programs that this one starts */
        if (fd < 0 || fstat(fd, &st) < 0 || (size_t)st.st_size < sizeof *rec)
                return;
        at = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        close(fd);
        if (at == MAP_FAILED || ((struct rec_memory *)at)->magic != REC_MAGIC)
                return;
        rec = at;
        rec_delays = rec->jitter != 0;
        rec->start = __rdtsc();
        rec_process = getpid();
        pthread_atfork(NULL, NULL, detach);
        dl_iterate_phdr(note_module, NULL);
        rec->attached = 1;
}
