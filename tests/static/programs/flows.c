/*
 * Programs in which a read looks as if nothing depended on it.  -DK=N: the value of a read passes through something that is easily
 * forgotten, and a failure, an outcome or a race depends on it.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <search.h>
#include <fcntl.h>
#include <ucontext.h>
#include <stddef.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, y, z;
int seen;
static atomic_int ax, ay;
static void put(int *w, int v) { pthread_mutex_lock(&lock); *w = v; pthread_mutex_unlock(&lock); }
static int get(int *w) { pthread_mutex_lock(&lock); int v = *w; pthread_mutex_unlock(&lock); return v; }
static void *t0(void *u) { put(&x, 1); return u; }
#define START(f, a) pthread_t t; pthread_create(&t, NULL, f, a)
#define JOIN pthread_join(t, NULL)
#if K == 1 /* through memory of another thread */
static void *other(void *u) { put(&y, get(&x)); return u; }
int main(void) { pthread_t q; START(t0, 0); pthread_create(&q, 0, other, 0); if (get(&y) == 1) abort(); JOIN; pthread_join(q, 0); }
#elif K == 2 /* printf format arg */
int main(void) { START(t0, 0); printf("%d\n", get(&x)); JOIN; }
#elif K == 3 /* exit status */
int main(void) { START(t0, 0); int r = get(&x); JOIN; return r; }
#elif K == 4 /* exit() */
int main(void) { START(t0, 0); int r = get(&x); JOIN; exit(r * 3); }
#elif K == 5 /* errno */
int main(void) { START(t0, 0); errno = get(&x); JOIN; if (errno == 1) abort(); return 0; }
#elif K == 6 /* signal handler */
static volatile int hv;
static void h(int s) { (void)s; if (hv) abort(); }
int main(void) { signal(SIGUSR1, h); START(t0, 0); hv = get(&x); JOIN; raise(SIGUSR1); return 0; }
#elif K == 7 /* longjmp value */
static jmp_buf b;
int main(void) { START(t0, 0); int v = setjmp(b); if (v == 0) longjmp(b, get(&x) + 5); JOIN; if (v == 6) abort(); return 0; }
#elif K == 8 /* TLS destructor */
static pthread_key_t k;
static void d(void *p) { if (*(int *)p) abort(); }
static int cell;
static void *w(void *u) { cell = get(&x); pthread_setspecific(k, &cell); return u; }
int main(void) { pthread_t q; pthread_key_create(&k, d); START(t0, 0); pthread_create(&q, 0, w, 0); JOIN; pthread_join(q, 0); return 0; }
#elif K == 9 /* inline asm */
int main(void) { START(t0, 0); int v = get(&x), o; __asm__ volatile("movl %1, %0" : "=r"(o) : "r"(v)); JOIN; if (o) abort(); return 0; }
#elif K == 10 /* asm via memory */
int main(void) { START(t0, 0); int v = get(&x), o = 0; int *p = &v; __asm__ volatile("movl (%1), %0" : "=r"(o) : "r"(p) : "memory"); JOIN; if (o) abort(); return 0; }
#elif K == 11 /* union */
union u { int i; float f; char c[4]; };
int main(void) { union u v; START(t0, 0); v.i = get(&x); JOIN; if (v.c[0]) abort(); return 0; }
#elif K == 12 /* memcpy chain */
struct s { int a, b; };
int main(void) { struct s a = {0, 0}, c; START(t0, 0); a.b = get(&x); memcpy(&c, &a, sizeof c); JOIN; if (c.b) abort(); return 0; }
#elif K == 13 /* bitfield */
struct s { unsigned a : 3, b : 5; } g;
static void *w(void *u) { pthread_mutex_lock(&lock); g.a = 1; pthread_mutex_unlock(&lock); return u; }
int main(void) { START(w, 0); pthread_mutex_lock(&lock); g.b++; if (g.a) abort(); pthread_mutex_unlock(&lock); JOIN; return 0; }
#elif K == 14 /* bitfield, the counter's writes rewrite the neighbour without lock: lost */
struct s { unsigned a : 3, b : 5; } g;
static void *w(void *u) { g.a = 1; return u; }
int main(void) { START(w, 0); g.b++; JOIN; if (!g.a) abort(); return 0; }
#elif K == 15 /* RMW with unused result, stored value matters */
static void *w(void *u) { atomic_fetch_add(&ax, 1); return u; }
int main(void) { START(w, 0); atomic_fetch_add(&ax, 2); int v = atomic_load(&ax); JOIN; if (v == 2) abort(); return 0; }
#elif K == 16 /* exchange stores the other's value */
static void *w(void *u) { atomic_store(&ax, 1); return u; }
int main(void) { START(w, 0); int v = atomic_exchange(&ax, 5); atomic_store(&ay, v); JOIN; if (atomic_load(&ay) == 1) abort(); return 0; }
#elif K == 17 /* CAS expected written back */
static void *w(void *u) { atomic_store(&ax, 1); return u; }
int main(void) { START(w, 0); int e = 7; (void)atomic_compare_exchange_strong(&ax, &e, 9); JOIN; if (e == 1) abort(); return 0; }
#elif K == 18 /* CAS unused result, success matters for the stored value */
static void *w(void *u) { atomic_store(&ax, 1); return u; }
int main(void) { START(w, 0); int e = 1; (void)atomic_compare_exchange_strong(&ax, &e, 9); JOIN; if (atomic_load(&ax) == 9) abort(); return 0; }
#elif K == 19 /* struct by value */
struct s { long a, b, c; };
static struct s f(int v) { struct s r = {1, 2, v}; return r; }
int main(void) { START(t0, 0); struct s r = f(get(&x)); JOIN; if (r.c == 1) abort(); return 0; }
#elif K == 20 /* qsort callback */
static int flag;
static int cmp(const void *a, const void *b) { if (flag) abort(); return *(int *)a - *(int *)b; }
int main(void) { int v[2] = {2, 1}; START(t0, 0); flag = get(&x); qsort(v, 2, sizeof *v, cmp); JOIN; return 0; }
#elif K == 21 /* qsort data */
static int cmp(const void *a, const void *b) { return *(int *)a - *(int *)b; }
int main(void) { int v[2] = {0, 0}; START(t0, 0); v[0] = get(&x); qsort(v, 2, sizeof *v, cmp); JOIN; if (v[1]) abort(); return 0; }
#elif K == 22 /* pthread_create argument */
static void *w(void *u) { if (*(int *)u) abort(); return u; }
int main(void) { pthread_t q; START(t0, 0); int v = get(&x); pthread_create(&q, 0, w, &v); JOIN; pthread_join(q, 0); return 0; }
#elif K == 23 /* pthread_create argument as integer */
static void *w(void *u) { if (u) abort(); return u; }
int main(void) { pthread_t q; START(t0, 0); pthread_create(&q, 0, w, (void *)(long)get(&x)); JOIN; pthread_join(q, 0); return 0; }
#elif K == 24 /* thread return value */
static void *w(void *u) { (void)u; return (void *)(long)get(&x); }
int main(void) { pthread_t q; void *r; START(t0, 0); pthread_create(&q, 0, w, 0); JOIN; pthread_join(q, &r); if (r) abort(); return 0; }
#elif K == 25 /* pointer equality */
static int *p;
static void *w(void *u) { pthread_mutex_lock(&lock); p = &y; pthread_mutex_unlock(&lock); return u; }
int main(void) { START(w, 0); pthread_mutex_lock(&lock); int *q = p; pthread_mutex_unlock(&lock); JOIN; if (q == &y) abort(); return 0; }
#elif K == 26 /* observe */
int main(void) { START(t0, 0); seen = get(&x); JOIN; return 0; }
#elif K == 27 /* invariant: y <= 1 */
static void *w(void *u) { put(&seen, get(&x) + 1); return u; }
int main(void) { pthread_t q; START(t0, 0); pthread_create(&q, 0, w, 0); JOIN; pthread_join(q, 0); return 0; }
#elif K == 28 /* leak roots: pointer overwritten by what is read */
static void *root; static long amount;
static void *w(void *u) { pthread_mutex_lock(&lock); amount = 1; pthread_mutex_unlock(&lock); return u; }
int main(void) { START(w, 0); root = malloc(8); pthread_mutex_lock(&lock); root = (void *)((long)root * (1 - amount)); pthread_mutex_unlock(&lock); JOIN; return 0; }
#elif K == 29 /* loop trip count */
int main(void) { START(t0, 0); int n = get(&x), c = 0; for (int i = 0; i < n; i++) c++; JOIN; if (c) abort(); return 0; }
#elif K == 30 /* infinite loop */
int main(void) { START(t0, 0); int n = get(&x); JOIN; while (n) ; return 0; }
#elif K == 31 /* livelock on shared */
static void *w(void *u) { put(&x, get(&x) + 1); return u; }
int main(void) { pthread_t q; START(w, 0); pthread_create(&q, 0, w, 0); while (get(&x) < 2) ; JOIN; pthread_join(q, 0); return 0; }
#elif K == 32 /* array index write */
static int a[4];
int main(void) { START(t0, 0); a[get(&x)] = 5; JOIN; if (a[1]) abort(); return 0; }
#elif K == 33 /* function pointer table by index */
static void ok(void) {} static void bad(void) { abort(); }
static void (*tab[2])(void) = {ok, bad};
int main(void) { START(t0, 0); tab[get(&x)](); JOIN; return 0; }
#elif K == 34 /* varargs */
static int sum(int n, ...) { va_list l; va_start(l, n); int s = 0; while (n--) s += va_arg(l, int); va_end(l); return s; }
int main(void) { START(t0, 0); if (sum(2, 3, get(&x)) == 4) abort(); JOIN; return 0; }
#elif K == 35 /* strlen of text made of it */
static char buf[8] = "aaa";
int main(void) { START(t0, 0); buf[1] = (char)('a' * (1 - get(&x))); JOIN; if (strlen(buf) == 1) abort(); return 0; }
#elif K == 36 /* float */
static double d;
int main(void) { START(t0, 0); d = get(&x) * 1.5; JOIN; if (d > 1) abort(); return 0; }
#elif K == 37 /* VLA size / alloca */
int main(void) { START(t0, 0); int n = get(&x) + 1; char v[n]; v[n - 1] = 1; JOIN; if (sizeof v == 2) abort(); return 0; }
#elif K == 38 /* malloc size -> heap overflow */
int main(void) { START(t0, 0); char *p = malloc(2 - get(&x)); p[1] = 1; JOIN; free(p); return 0; }
#elif K == 39 /* free depends */
static int *g;
static void *w(void *u) { pthread_mutex_lock(&lock); free(g); g = NULL; pthread_mutex_unlock(&lock); return u; }
int main(void) { g = malloc(4); int *p = g; START(w, 0); pthread_mutex_lock(&lock); int *q = g; pthread_mutex_unlock(&lock); (void)q; *p = 3; JOIN; return 0; }
#elif K == 40 /* division by what is read */
int main(void) { START(t0, 0); z = 7 / (1 - get(&x)); JOIN; return 0; }
#elif K == 41 /* switch */
int main(void) { START(t0, 0); switch (get(&x)) { case 1: abort(); default: break; } JOIN; return 0; }
#elif K == 42 /* select/min max, ternary */
int main(void) { START(t0, 0); int v = get(&x); int m = v > 0 ? 3 : 4; JOIN; if (m == 3) abort(); return 0; }
#elif K == 43 /* pipe write */
int main(void) { int p[2]; if (pipe(p)) return 9; START(t0, 0); char c = (char)get(&x), r = 0; if (write(p[1], &c, 1) != 1) return 9; JOIN; if (read(p[0], &r, 1) == 1 && r) abort(); return 0; }
#elif K == 44 /* byte-wise copy of a pointer, then read */
int main(void) { START(t0, 0); int v = 0; int *p = &v; char raw[8]; int *q; for (int i = 0; i < 8; i++) raw[i] = ((char *)&p)[i]; for (int i = 0; i < 8; i++) ((char *)&q)[i] = raw[i]; *q = get(&x); JOIN; if (v) abort(); return 0; }
#elif K == 45 /* pointer through two 32 bit halves with arithmetic on the low part */
int main(void) { START(t0, 0); int v[4] = {0}; uint64_t p = (uint64_t)v; uint32_t lo = (uint32_t)p + 4, hi = (uint32_t)(p >> 32); int *q = (int *)((uint64_t)hi << 32 | lo); *q = get(&x); JOIN; if (v[1]) abort(); return 0; }
#elif K == 46 /* relative pointer */
static int target; static long delta;
int main(void) { START(t0, 0); delta = (char *)&target - (char *)&delta; int *q = (int *)((char *)&delta + delta); *q = get(&x); JOIN; if (target) abort(); return 0; }
#elif K == 47 /* xor list */
static int n1, n2;
int main(void) { START(t0, 0); uintptr_t l = (uintptr_t)&n1 ^ (uintptr_t)&n2; int *q = (int *)(l ^ (uintptr_t)&n1); *q = get(&x); JOIN; if (n2) abort(); return 0; }
#elif K == 48 /* tagged pointer */
int main(void) { START(t0, 0); int v = 0; uintptr_t l = (uintptr_t)&v | 1; *(int *)(l & ~(uintptr_t)1) = get(&x); JOIN; if (v) abort(); return 0; }
#elif K == 49 /* pthread_exit value */
static void *w(void *u) { (void)u; pthread_exit((void *)(long)get(&x)); }
int main(void) { pthread_t q; void *r; START(t0, 0); pthread_create(&q, 0, w, 0); JOIN; pthread_join(q, &r); if (r) abort(); return 0; }
#elif K == 50 /* cleanup handler */
static int c; static void h(void *p) { if (*(int *)p) abort(); }
static void *w(void *u) { pthread_cleanup_push(h, &c); c = get(&x); pthread_cleanup_pop(1); return u; }
int main(void) { pthread_t q; START(t0, 0); pthread_create(&q, 0, w, 0); JOIN; pthread_join(q, 0); return 0; }
#elif K == 51 /* atexit */
static int c; static void h(void) { if (c) abort(); }
int main(void) { atexit(h); START(t0, 0); c = get(&x); JOIN; return 0; }
#elif K == 52 /* sprintf then parse */
int main(void) { START(t0, 0); char b[20]; snprintf(b, sizeof b, "%d", get(&x)); JOIN; if (atoi(b)) abort(); return 0; }
#elif K == 53 /* sscanf */
int main(void) { START(t0, 0); char b[20]; int v = 0; b[0] = (char)('0' + get(&x)); b[1] = 0; sscanf(b, "%d", &v); JOIN; if (v) abort(); return 0; }
#elif K == 54 /* memcmp */
int main(void) { START(t0, 0); int a = get(&x), b = 0; JOIN; if (memcmp(&a, &b, sizeof a)) abort(); return 0; }
#elif K == 55 /* strtol endptr */
int main(void) { START(t0, 0); char b[20] = "12a", *e; b[0] = (char)(get(&x) ? 'x' : '1'); long v = strtol(b, &e, 10); JOIN; if (v == 0 && e == b) abort(); return 0; }
#elif K == 56 /* sem value */
#include <semaphore.h>
int main(void) { sem_t s; START(t0, 0); sem_init(&s, 0, (unsigned)get(&x)); int v; sem_getvalue(&s, &v); JOIN; if (v) abort(); return 0; }
#elif K == 57 /* trylock on a lock chosen by index */
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int main(void) { START(t0, 0); pthread_mutex_lock(&m[1]); pthread_mutex_lock(&m[get(&x)]); JOIN; return 0; }
#elif K == 58 /* barrier count */
int main(void) { pthread_barrier_t b; START(t0, 0); pthread_barrier_init(&b, 0, (unsigned)get(&x) + 1); pthread_barrier_wait(&b); JOIN; return 0; }
#elif K == 59 /* recursion depth */
static int rec(int n) { return n <= 0 ? 0 : 1 + rec(n - 1); }
int main(void) { START(t0, 0); if (rec(get(&x)) == 1) abort(); JOIN; return 0; }
#elif K == 60 /* race only with a certain value */
static void *w(void *u) { put(&x, 1); z = 4; return u; }
int main(void) { START(w, 0); int v = get(&x); int *p = v ? &y : &z; *p = 2; JOIN; return 0; }
#elif K == 61 /* statistics printed at the end */
static int stat; static void *w(void *u) { pthread_mutex_lock(&lock); stat = stat * 2 + 1; pthread_mutex_unlock(&lock); return u; }
int main(void) { pthread_t q; START(w, 0); pthread_mutex_lock(&lock); stat = stat + 5; pthread_mutex_unlock(&lock); pthread_create(&q, 0, w, 0); JOIN; pthread_join(q, 0); printf("%d\n", stat); return 0; }
#elif K == 62 /* static counter in memset */
static char mem[8];
int main(void) { START(t0, 0); memset(mem, get(&x), sizeof mem); JOIN; if (mem[3]) abort(); return 0; }
#elif K == 63 /* memset length */
static char mem[8];
int main(void) { START(t0, 0); memset(mem, 1, (size_t)get(&x)); JOIN; if (mem[0]) abort(); return 0; }
#elif K == 64 /* realloc'ed block content */
int main(void) { START(t0, 0); int *p = malloc(4); *p = get(&x); p = realloc(p, 400); JOIN; if (*p) abort(); free(p); return 0; }
#elif K == 65 /* wide atomics / struct read */
struct s { int a, b; }; static struct s g;
static void *w(void *u) { pthread_mutex_lock(&lock); g = (struct s){1, 2}; pthread_mutex_unlock(&lock); return u; }
int main(void) { START(w, 0); pthread_mutex_lock(&lock); struct s c = g; pthread_mutex_unlock(&lock); JOIN; if (c.b == 2) abort(); return 0; }
#elif K == 66 /* hsearch: unknown function of libc keeps the pointer */
int main(void) { START(t0, 0); int v = 0; hcreate(10); ENTRY e = {"k", &v}; hsearch(e, ENTER); v = get(&x); ENTRY *f = hsearch((ENTRY){"k", 0}, FIND); JOIN; if (*(int *)f->data) abort(); return 0; }
#elif K == 67 /* vsnprintf in a logging wrapper */
static char line[40];
static void logf_(const char *f, ...) { va_list l; va_start(l, f); vsnprintf(line, sizeof line, f, l); va_end(l); }
int main(void) { START(t0, 0); logf_("%d", get(&x)); JOIN; if (line[0] == '1') abort(); return 0; }
#elif K == 68 /* fwrite / fputs of it */
int main(void) { START(t0, 0); int v = get(&x); fwrite(&v, 4, 1, stdout); JOIN; return 0; }
#elif K == 69 /* thread id arithmetic, thread local */
static _Thread_local int tl;
int main(void) { START(t0, 0); tl = get(&x); JOIN; if (tl) abort(); return 0; }
#elif K == 70 /* once routine */
static pthread_once_t o = PTHREAD_ONCE_INIT; static int c; static void f(void) { if (c) abort(); }
int main(void) { START(t0, 0); c = get(&x); pthread_once(&o, f); JOIN; return 0; }
#elif K == 71 /* cond wait predicate written by value */
static pthread_cond_t cv = PTHREAD_COND_INITIALIZER; static int ready;
static void *w(void *u) { pthread_mutex_lock(&lock); ready = x; pthread_cond_signal(&cv); pthread_mutex_unlock(&lock); return u; }
int main(void) { pthread_t q; START(t0, 0); pthread_create(&q, 0, w, 0); pthread_mutex_lock(&lock); if (!ready && z == 0) { z = 1; } pthread_mutex_unlock(&lock); JOIN; pthread_join(q, 0); if (ready) abort(); return 0; }
#elif K == 72 /* volatile read for side effect on nothing */
static volatile int vx;
static void *w(void *u) { vx = 1; return u; }
int main(void) { START(w, 0); (void)vx; JOIN; return 0; }
#elif K == 73 /* assert */
int main(void) { START(t0, 0); int v = get(&x); JOIN; assert(v == 0); return 0; }
#elif K == 74 /* pointer parked in memory via write/read of a pipe */
int main(void) { int p[2]; if (pipe(p)) return 9; START(t0, 0); int v = 0, *a = &v, *b; if (write(p[1], &a, 8) != 8 || read(p[0], &b, 8) != 8) return 9; *b = get(&x); JOIN; if (v) abort(); return 0; }
#elif K == 75 /* computed goto */
int main(void) { static void *l[] = {&&a, &&b}; START(t0, 0); goto *l[get(&x)]; b: abort(); a: JOIN; return 0; }
#elif K == 76 /* insert/extract, overflow builtins */
int main(void) { START(t0, 0); int r; int o = __builtin_add_overflow(get(&x), 2147483647, &r); JOIN; if (o) abort(); return 0; }
#elif K == 77 /* popcount, bswap */
int main(void) { START(t0, 0); unsigned v = __builtin_bswap32((unsigned)get(&x)); JOIN; if (__builtin_popcount(v)) abort(); return 0; }
#elif K == 78 /* read used only as a lock address offset: double lock*/
static struct { int a; pthread_mutex_t m; } s2 = {0, PTHREAD_MUTEX_INITIALIZER};
int main(void) { START(t0, 0); s2.a = get(&x); pthread_mutex_lock(&s2.m); JOIN; if (s2.a) abort(); pthread_mutex_unlock(&s2.m); return 0; }
#elif K == 79 /* callback through bsearch/lfind */
static int cmp(const void *a, const void *b) { if (*(int *)a == 1) abort(); return *(int *)a - *(int *)b; }
int main(void) { int v[2] = {0, 2}; START(t0, 0); int k = get(&x); bsearch(&k, v, 2, 4, cmp); JOIN; return 0; }
#elif K == 80 /* call with extra arguments through a cast */
static int one(int a) { return a; }
int main(void) { START(t0, 0); int (*f)(int, int) = (int (*)(int, int))one; if (f(get(&x), 3)) abort(); JOIN; return 0; }
#elif K == 81 /* callee takes more than the call passes: varargs style, old prototypes */
static int two();
int main(void) { START(t0, 0); if (two(get(&x))) abort(); JOIN; return 0; }
static int two(int a) { return a; }
#elif K == 82 /* void function's cast result */
static int vf(int a) { y = a; return a; }
int main(void) { START(t0, 0); void (*f)(int) = (void (*)(int))vf; f(get(&x)); JOIN; if (y) abort(); return 0; }
#elif K == 83 /* thread function of another type */
static int tf(void) { return get(&x); }
int main(void) { pthread_t q; void *r; START(t0, 0); pthread_create(&q, 0, (void *(*)(void *))tf, 0); JOIN; pthread_join(q, &r); if ((int)(long)r) abort(); return 0; }
#elif K == 84 /* float in int function pointers */
static double df(double a) { return a; }
int main(void) { START(t0, 0); double (*volatile f)(double) = df; if (f(get(&x)) > 0) abort(); JOIN; return 0; }
#elif K == 85 /* aligned down by division */
int main(void) { START(t0, 0); _Alignas(16) int v[8] = {0}; uintptr_t p = (uintptr_t)&v[5]; *(int *)(p / 16 * 16) = get(&x); JOIN; if (v[4]) abort(); return 0; }
#elif K == 86 /* aligned down by remainder */
int main(void) { START(t0, 0); _Alignas(16) int v[8] = {0}; uintptr_t p = (uintptr_t)&v[5]; *(int *)(p - p % 16) = get(&x); JOIN; if (v[4]) abort(); return 0; }
#elif K == 87 /* distance as int, used as index */
int main(void) { START(t0, 0); int v[8] = {0}; int *p = &v[3]; int d = (int)(p - v); *(v + d) = get(&x); JOIN; if (v[3]) abort(); return 0; }
#elif K == 88 /* pointer put together from bytes by shifts in 32 bits */
int main(void) { START(t0, 0); int v = 0; uint64_t p = (uint64_t)&v; unsigned char b[8]; for (int i = 0; i < 8; i++) b[i] = (unsigned char)(p >> (8 * i)); uint32_t lo = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24, hi = b[4] | (uint32_t)b[5] << 8 | (uint32_t)b[6] << 16 | (uint32_t)b[7] << 24; *(int *)((uint64_t)hi << 32 | lo) = get(&x); JOIN; if (v) abort(); return 0; }
#elif K == 89 /* ... by sums */
int main(void) { START(t0, 0); int v = 0; uint64_t p = (uint64_t)&v; unsigned char b[8]; for (int i = 0; i < 8; i++) b[i] = (unsigned char)(p >> (8 * i)); uint64_t q = 0; for (int i = 7; i >= 0; i--) q = q * 256 + b[i]; *(int *)q = get(&x); JOIN; if (v) abort(); return 0; }
#elif K == 90 /* ... by sums of 32 bits */
int main(void) { START(t0, 0); int v = 0; uint64_t p = (uint64_t)&v; unsigned char b[8]; for (int i = 0; i < 8; i++) b[i] = (unsigned char)(p >> (8 * i)); uint32_t lo = 0, hi = 0; for (int i = 3; i >= 0; i--) { lo = lo * 256 + b[i]; hi = hi * 256 + b[i + 4]; } *(int *)((uint64_t)hi << 32 | lo) = get(&x); JOIN; if (v) abort(); return 0; }
#elif K == 91 /* relative pointer, its base is never read */
static int target, anchor; static long delta;
int main(void) { START(t0, 0); delta = (char *)&target - (char *)&anchor; int *q = (int *)((char *)&anchor + delta); *q = get(&x); JOIN; if (target) abort(); return 0; }
#elif K == 92 /* ... of 32 bits */
static int target, anchor; static int delta;
int main(void) { START(t0, 0); delta = (int)((char *)&target - (char *)&anchor); int *q = (int *)((char *)&anchor + delta); *q = get(&x); JOIN; if (target) abort(); return 0; }
#elif K == 93 /* FILE: a pointer through a temporary file */
int main(void) { FILE *f = tmpfile(); START(t0, 0); int v = 0, *a = &v, *b = 0; fwrite(&a, sizeof a, 1, f); rewind(f); if (fread(&b, sizeof b, 1, f) != 1) return 9; *b = get(&x); JOIN; if (v) abort(); return 0; }
#elif K == 94 /* in a float */
int main(void) { START(t0, 0); float f = (float)get(&x); int i = (int)(f * 2); JOIN; if (i) abort(); return 0; }
#elif K == 95 /* pthread_setspecific across calls */
static pthread_key_t k; static int c;
static void use(void) { if (*(int *)pthread_getspecific(k)) abort(); }
int main(void) { pthread_key_create(&k, 0); START(t0, 0); pthread_setspecific(k, &c); c = get(&x); use(); JOIN; return 0; }
#elif K == 96 /* environment */
int main(void) { START(t0, 0); char b[4] = {(char)('0' + get(&x)), 0}; setenv("Q", b, 1); JOIN; if (getenv("Q")[0] == '1') abort(); return 0; }
#elif K == 97 /* strings: strtok, strcat, strdup */
int main(void) { START(t0, 0); char b[8] = "a,b"; b[1] = get(&x) ? ';' : ','; char *p = strtok(strdup(b), ","); JOIN; if (strlen(p) == 3) abort(); return 0; }
#elif K == 98 /* stpcpy, memccpy: returns into the second part */
int main(void) { START(t0, 0); char b[8] = "", s[2] = {(char)('a' * get(&x)), 0}; char *e = stpcpy(b, s); JOIN; if (e != b) abort(); return 0; }
#elif K == 99 /* mmap */
#include <sys/mman.h>
int main(void) { START(t0, 0); int *p = mmap(0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); *p = get(&x); JOIN; if (*p) abort(); return 0; }
#elif K == 100 /* mremap */
#include <sys/mman.h>
int main(void) { START(t0, 0); int *p = mmap(0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); *p = get(&x); p = mremap(p, 4096, 8192, MREMAP_MAYMOVE); JOIN; if (*p) abort(); return 0; }
#elif K == 101 /* localtime: the static struct tm */
#include <time.h>
int main(void) { START(t0, 0); time_t s = 86400 * 400L * get(&x); struct tm *t2 = gmtime(&s); JOIN; if (t2->tm_year > 70) abort(); return 0; }
#elif K == 102 /* lseek64 */
int main(void) { START(t0, 0); FILE *f = tmpfile(); int fd = fileno(f); if (write(fd, "ab", 2) != 2) return 9; lseek64(fd, get(&x), SEEK_SET); char c = 0; if (read(fd, &c, 1) != 1) return 9; JOIN; if (c == 'b') abort(); return 0; }
#elif K == 103 /* fcntl lock struct: value written */
int main(void) { START(t0, 0); int fd = open("/dev/null", O_RDWR); fcntl(fd, F_SETFD, get(&x)); JOIN; if (fcntl(fd, F_GETFD)) abort(); return 0; }
#elif K == 104 /* poll */
#include <poll.h>
int main(void) { int p[2]; if (pipe(p)) return 9; START(t0, 0); struct pollfd q = {p[get(&x)], POLLOUT, 0}; poll(&q, 1, 0); JOIN; if (q.revents) abort(); return 0; }
#elif K == 105 /* struct handed by value to an indirect call with doubles */
struct s { double d; int i; };
static int f(struct s v) { return v.i; }
int main(void) { int (*volatile g)(struct s) = f; START(t0, 0); struct s v = {1.0, get(&x)}; if (g(v)) abort(); JOIN; return 0; }
#elif K == 106 /* big struct through a pointer to a function */
struct s { long a[6]; };
static struct s f(struct s v) { v.a[5]++; return v; }
int main(void) { struct s (*volatile g)(struct s) = f; START(t0, 0); struct s v = {{0, 0, 0, 0, 0, get(&x)}}; if (g(v).a[5] == 2) abort(); JOIN; return 0; }
#elif K == 107 /* a variadic function through a pointer without ellipsis */
static int f(int n, ...) { va_list l; va_start(l, n); int v = va_arg(l, int); va_end(l); return v; }
int main(void) { int (*volatile g)(int, ...) = f; START(t0, 0); if (g(1, get(&x))) abort(); JOIN; return 0; }
#elif K == 108 /* struct of floats in registers by value */
struct s { float a, b; };
static float f(struct s v) { return v.b; }
int main(void) { float (*volatile g)(struct s) = f; START(t0, 0); struct s v = {1, (float)get(&x)}; if (g(v) > 0) abort(); JOIN; return 0; }
#elif K == 109 /* a bool or small int as a float's neighbour: wrong prototype, float passed as vector */
static double f(int a, double b, int c) { return a + b + c; }
int main(void) { double (*volatile g)(int, double, int) = f; START(t0, 0); if (g(0, 0.0, get(&x)) > 0) abort(); JOIN; return 0; }
#elif K == 110 /* the bytes of a pointer, one by one through a file */
int main(void) { START(t0, 0); FILE *f = fopen("bytes", "w"); int *p = &y, *q; for (int i = 0; i < 8; i++) fputc(((unsigned char *)&p)[i], f); fclose(f); f = fopen("bytes", "r"); for (int i = 0; i < 8; i++) ((unsigned char *)&q)[i] = (unsigned char)fgetc(f); y = get(&x); JOIN; if (*q) abort(); return 0; }
#elif K == 111 /* assembly that names a variable */
int inasm;
int main(void) { START(t0, 0); inasm = get(&x); JOIN; int v; __asm__ volatile("movl inasm(%%rip), %0" : "=r"(v)); if (v) abort(); return 0; }
#elif K == 112 /* a pointer as text, and a pointer behind it */
static int *yy = &y;
int main(void) { char b[40]; int **p; START(t0, 0); sprintf(b, "%p", (void *)&yy); sscanf(b, "%p", (void **)&p); y = get(&x); JOIN; if (**p) abort(); return 0; }
#elif K == 113 /* ... read by code of its own: a pointer is stored behind it */
static struct { long first; int *second; } pair = {0, &y};
int main(void) { char b[40]; START(t0, 0); sprintf(b, "%lx", (long)&pair); unsigned long v = 0; for (char *c = b; *c; c++) v = v * 16 + (unsigned long)(*c <= '9' ? *c - '0' : *c - 'a' + 10); __typeof__(pair) *p = (void *)v; p->second = &z; *pair.second = get(&x); JOIN; if (z) abort(); return 0; }
#elif K == 114 /* ... after a copy by %s */
static int *yy = &y;
int main(void) { char b[40], c[40]; int **p; START(t0, 0); sprintf(b, "%lx", (long)&yy); snprintf(c, 40, "%s", b); p = (int **)strtoul(c, 0, 16); y = get(&x); JOIN; if (**p) abort(); return 0; }
#elif K == 115 /* assembly that names a static variable */
static int hidden __attribute__((used));
int main(void) { START(t0, 0); hidden = get(&x); JOIN; int v; __asm__ volatile("movl hidden(%%rip), %0" : "=r"(v)); if (v) abort(); return 0; }
#elif K == 116 /* assembly that calls a function by its name */
static int stat; __attribute__((used)) void check_it(void) { if (stat) abort(); }
int main(void) { START(t0, 0); stat = get(&x); JOIN; __asm__ volatile("call check_it" ::: "memory", "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11"); return 0; }
#elif K == 117 /* the struct around a member */
struct n { int stat; int key; struct l { struct l *next; } link; };
static struct n g; static struct l *head;
int main(void) { START(t0, 0); g.link.next = 0; head = &g.link; g.stat = get(&x); JOIN; struct n *q = (struct n *)((char *)head - offsetof(struct n, link)); if (q->stat) abort(); return 0; }
#elif K == 118 /* variables of a section */
struct reg { int *counter; }; static int cnt;
static struct reg r1 __attribute__((section("myset"), used)) = {&cnt};
extern struct reg __start_myset[], __stop_myset[];
int main(void) { START(t0, 0); cnt = get(&x); JOIN; for (struct reg *p = __start_myset; p < __stop_myset; p++) if (*p->counter) abort(); return 0; }
#elif K == 119 /* asm goto */
int main(void) { START(t0, 0); int v = get(&x); JOIN; __asm__ goto("testl %0, %0; jnz %l1" :: "r"(v) : "cc" : bad); return 0; bad: abort(); }
#elif K == 120 /* contexts */
static ucontext_t a, b; static char st[65536]; static int val;
static void f(void) { if (val) abort(); swapcontext(&b, &a); }
int main(void) { START(t0, 0); val = get(&x); JOIN; getcontext(&b); b.uc_stack.ss_sp = st; b.uc_stack.ss_size = sizeof st; makecontext(&b, f, 0); swapcontext(&a, &b); return 0; }
#elif K == 121 /* a pointer in a struct that is copied */
struct m { int kind; int *where; }; static struct m q[2]; static int n;
static void *w(void *u) { pthread_mutex_lock(&lock); if (n) *q[0].where = x; pthread_mutex_unlock(&lock); return u; }
int main(void) { pthread_t o; START(t0, 0); pthread_create(&o, 0, w, 0); struct m a = {1, &y}; pthread_mutex_lock(&lock); q[n++] = a; pthread_mutex_unlock(&lock); JOIN; pthread_join(o, 0); if (y) abort(); return 0; }
#elif K == 122 /* qsort moves pointers */
static int a, b; static int *v[2] = {&a, &b};
static int cmp(const void *p, const void *q) { (void)p; (void)q; return 1; }
int main(void) { START(t0, 0); qsort(v, 2, sizeof *v, cmp); *v[0] = get(&x); JOIN; if (a || b) abort(); return 0; }
#elif K == 123 /* memchr, and beyond the field */
static struct { char b[4]; int stat; } g2;
int main(void) { START(t0, 0); g2.b[2] = 9; char *c = memchr(g2.b, 9, 4); *(int *)(c + 2) = get(&x); JOIN; if (g2.stat) abort(); return 0; }
#elif K == 124 /* halves of a pointer in a union */
union pu { int *p; uintptr_t i; struct { uint32_t lo, hi; } h; };
int main(void) { START(t0, 0); union pu a, b; a.p = &y; b.h.lo = a.h.lo; b.h.hi = a.h.hi; *b.p = get(&x); JOIN; if (y) abort(); return 0; }
#elif K == 125 /* a division traps */
int main(void) { START(t0, 0); feenableexcept(FE_DIVBYZERO); volatile double q = get(&x) - 1.0, d = 1.0 / q; (void)d; JOIN; return 0; }
#elif K == 126 /* flags of floating-point operations */
int main(void) { START(t0, 0); feclearexcept(FE_ALL_EXCEPT); volatile float d = (float)(get(&x) ? 0x7fffffff : 64); (void)d; JOIN; if (fetestexcept(FE_INEXACT)) abort(); return 0; }
#elif K == 127 /* ... by assembly */
int main(void) { START(t0, 0); volatile double d = 1.0 / (2 + get(&x)); (void)d; JOIN; unsigned c; __asm__ volatile("stmxcsr %0" : "=m"(c)); if (c & 32) abort(); return 0; }
#elif K == 128 /* an annotation has the value that it is given */
static unsigned half(unsigned v) { return (unsigned)__builtin_annotation(v, "half"); }
int main(void) { START(t0, 0); int *p = (int *)((unsigned long)half((unsigned)((unsigned long)&y >> 32)) << 32 | half((unsigned)(unsigned long)&y)); put(&y, get(&x)); JOIN; if (*p) abort(); return 0; }
#elif K == 129 /* --final */
int is_good(void) { return y == 0; }
int main(void) { START(t0, 0); put(&y, get(&x)); JOIN; return 0; }
#elif K == 130 /* a read that optimisation moves to the line of a counter */
static int block[64];
static void *w(void *u) { pthread_mutex_lock(&lock); x = 1; z++; pthread_mutex_unlock(&lock); return u; }
int main(int argc, char **argv) { (void)argv; START(w, 0); pthread_mutex_lock(&lock); int i = 0;
        z++;
        do {
                block[3 * i] += x;
                i += argc;
        } while (i < 20);
        pthread_mutex_unlock(&lock); JOIN; if (block[3]) abort(); return 0; }
#elif K >= 131 && K <= 133 /* a counter in the place of a call that reads */
static char text[8] = "ab";
static struct big { char c[40]; } object;
__attribute__((noinline)) static int third(struct big b) { return b.c[2]; }
#define COUNTED(e) ({ z++; y = z; e; })
static void *w(void *u) { pthread_mutex_lock(&lock); text[0] = 'c'; object.c[2] = 1; z++; pthread_mutex_unlock(&lock); return u; }
int main(void) { START(w, 0); pthread_mutex_lock(&lock); int v;
#if K == 131
        v = COUNTED(strcmp(text, "ab"));
#elif K == 132
        v = COUNTED(third(object));
#else
        char other[8]; FILE *f = fmemopen(other, 8, "w"); COUNTED(fputs(text, f)); fclose(f); v = other[0] == 'c';
#endif
        pthread_mutex_unlock(&lock); JOIN; if (v) abort(); return 0; }
#elif K == 134 /* two reads that optimisation makes one */
static int cells[4];
static void *w(void *u) { cells[0] = 2; return u; }
int main(void) { START(w, 0); int v;
        if (__sync_bool_compare_and_swap(&cells[2], 1, 2))
                v = cells[2];
        else
                v = cells[0];
        seen = v; JOIN; return 0; }
#elif K == 135 /* how much a copy writes */
static char text[16] = "a", *block;
static void *w(void *u) { pthread_mutex_lock(&lock); memset(text, 'b', 15); pthread_mutex_unlock(&lock); return u; }
int main(void) { block = malloc(4); START(w, 0); pthread_mutex_lock(&lock); strcpy(block, text); pthread_mutex_unlock(&lock); JOIN; free(block); return 0; }
#elif K == 136 /* ... and reads, through a pointer */
static char *text, copied[64], *(*volatile copy)(char *, const char *, size_t) = strncpy;
static void *w(void *u) { pthread_mutex_lock(&lock); memset(text, 'b', 4); pthread_mutex_unlock(&lock); return u; }
int main(void) { text = calloc(4, 1); START(w, 0); pthread_mutex_lock(&lock); copy(copied, text, 32); pthread_mutex_unlock(&lock); JOIN; free(text); return 0; }
#elif K == 137 /* attributes of a mutex */
static pthread_mutexattr_t kind;
int main(void) { pthread_mutex_t m; pthread_mutexattr_init(&kind); START(t0, 0); *(int *)&kind = get(&x); pthread_mutex_init(&m, &kind); pthread_mutex_lock(&m); int r = pthread_mutex_trylock(&m); JOIN; if (!r) abort(); return 0; }
#elif K == 138 /* a function printed as a number, read by a function that is not known */
static void check(void) { if (y) abort(); }
int main(void) { START(t0, 0); FILE *f = tmpfile(); fprintf(f, "%lu", (unsigned long)check); rewind(f); unsigned long a; if (fscanf(f, "%lu", &a) != 1) return 9; y = get(&x); ((void (*)(void))a)(); JOIN; return 0; }
#elif K == 139 /* a pointer written by a function that is not known, and read by one that is */
#include <sys/socket.h>
int main(void) { int p[2]; int *a = &y, *b = 0; if (socketpair(AF_UNIX, SOCK_STREAM, 0, p)) return 9; START(t0, 0); send(p[0], &a, 8, 0); if (read(p[1], &b, 8) != 8) return 9; *b = get(&x); JOIN; if (y) abort(); return 0; }
#endif
