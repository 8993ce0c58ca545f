/*
 * A trap costs a signal; a jump costs nothing, but takes five bytes, more than most of these instructions have.  So what it
 * overwrites beyond the instruction (the explorer says what may be, binary/asm_scan.c) runs in a *stub*:
 *
 *      instructions before it, moved
 *      lea  -128(%rsp), %rsp           the red zone
 *      push number
 *      jmp  locked_enter
 *      the instruction itself, if it runs afterwards
 *      instructions after it, moved    <- where locked_enter continues, or with the instruction
 *      jmp  to what follows in the program
 *
 * Stubs are in pages within reach of a jump, 2 GiB, wherever there is room.  They are written before main, by the only
 * thread that runs, and are the same in every execution.
 */
#include "rt/arch/x86_64/patch.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "rt/fault.h"
#include "rt/rt.h"
#include "rt/util.h"

#define PAGE      4096u
#define STUB      96u /* 19 + 5 + 5 + 14 + 19 + 14 bytes at most */
#define AREA      (WIRE_MAX_LOCKED * STUB)
#define MAX_AREAS 16u
#define STEP      (UINT64_C(1) << 24)
#define REACH     (UINT64_C(0x78000000))

extern char locked_enter[] __attribute__((visibility("hidden")));

static uint8_t *areas[MAX_AREAS]; /* each with a place for every stub */
static uint32_t n_areas;

/* Where the parts of a stub, by its number, come from. */
static struct stub {
        uintptr_t window, rest; /* what was moved to its begin and end */
        uintptr_t next;         /* its end */
        uint32_t before;        /* bytes of its begin */
} stubs[WIRE_MAX_LOCKED];

static void set_protection(uintptr_t addr, size_t size, int prot)
{
        uintptr_t lo = addr & ~(uintptr_t)(PAGE - 1), hi = (addr + size + PAGE - 1) & ~(uintptr_t)(PAGE - 1);

        if (rt_syscall6(SYS_mprotect, (long)lo, (long)(hi - lo), prot, 0, 0, 0) != 0)
                rt_fault("the inline assembly of the program cannot be watched: its code cannot be overwritten");
}

static void overwrite(uintptr_t addr, const uint8_t *bytes, size_t n)
{
        set_protection(addr, n, PROT_READ | PROT_WRITE);
        rt_copy((void *)addr, bytes, n);
        set_protection(addr, n, PROT_READ | PROT_EXEC);
}

void patch_trap(const struct wire_locked *l)
{
        static const uint8_t ud2[] = {0x0f, 0x0b};

        overwrite(l->addr, ud2, sizeof ud2);
}

static bool reaches(uint64_t from, uint64_t to)
{
        return from - to + REACH < 2 * REACH;
}

static uint8_t *area_at(uintptr_t at)
{
        long r = rt_syscall6(SYS_mmap, (long)at, AREA, PROT_READ | PROT_EXEC,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);

        if (r == (long)at)
                return areas[n_areas++] = (uint8_t *)at;
        if (r > 0) /* an old kernel, which takes the place for a hint */
                rt_syscall6(SYS_munmap, r, AREA, 0, 0, 0, 0);
        return NULL;
}

/* An area within reach of the address, or NULL: below it, or, of a program at low addresses, so far above it that there is room
 * for the break to grow. */
static uint8_t *area_near(uintptr_t addr)
{
        uintptr_t page = addr & ~(STEP - 1);
        uint8_t *area = NULL;

        for (uint32_t i = 0; i < n_areas; i++)
                if (reaches((uintptr_t)areas[i], addr))
                        return areas[i];
        if (n_areas == MAX_AREAS)
                return NULL;
        for (uintptr_t at = page - STEP; !area && at < page && at >= STEP && reaches(at, addr); at -= STEP)
                area = area_at(at);
        for (uintptr_t at = page + REACH / 2; !area && reaches(at, addr); at += STEP)
                area = area_at(at);
        return area;
}

/* Appends instructions of the program; `fix` of them, if it is among them, four bytes are relative.  Only a part of what data
 * a jump reaches is reached from there too: NULL if not. */
static uint8_t *move(uint8_t *to, uintptr_t from, uint32_t n, uint32_t fix)
{
        int32_t relative;
        int64_t moved;

        rt_copy(to, (const void *)from, n);
        if (fix && fix + 4 <= n) {
                rt_copy(&relative, to + fix, 4);
                moved = relative + (int64_t)(from - (uintptr_t)to);
                relative = (int32_t)moved;
                if (relative != moved)
                        return NULL;
                rt_copy(to + fix, &relative, 4);
        }
        return to + n;
}

static uint8_t *jump(uint8_t *to, uint64_t target)
{
        static const uint8_t code[] = {0xff, 0x25, 0, 0, 0, 0}; /* jmp *0(%rip) */

        rt_copy(to, code, sizeof code);
        rt_copy(to + sizeof code, &target, sizeof target);
        return to + sizeof code + sizeof target;
}

static uint8_t *enter(uint8_t *to, uint32_t number)
{
        static const uint8_t code[] = {0x48, 0x8d, 0x64, 0x24, 0x80, 0x68}; /* lea -128(%rsp), %rsp; push */

        rt_copy(to, code, sizeof code);
        rt_copy(to + sizeof code, &number, sizeof number);
        return jump(to + sizeof code + sizeof number, (uint64_t)(uintptr_t)locked_enter);
}

/* Where its last part begins, or NULL. */
static uint8_t *write_stub(uint8_t *stub, const struct wire_locked *l, uint32_t number)
{
        uintptr_t window = l->addr - l->before, end = window + l->span;
        uintptr_t rest = l->kind < WIRE_LOCKED_LOAD ? l->addr + l->length : l->addr;
        uint32_t first = (uint32_t)(rest - window);
        uint8_t *next = move(stub, window, l->before, l->fix), *last;

        next = next ? enter(next, number) : NULL;
        last = next ? move(next, rest, (uint32_t)(end - rest), l->fix > first ? l->fix - first : 0) : NULL;
        if (!last)
                return NULL;
        jump(last, end);
        stubs[number] = (struct stub){window, rest, (uintptr_t)next, l->before};
        return next;
}

uintptr_t patch_jump(const struct wire_locked *l, uint32_t number)
{
        uint8_t code[5] = {0xe9}, *area = l->span >= sizeof code ? area_near(l->addr) : NULL, *stub, *next;
        uintptr_t window = l->addr - l->before;
        int32_t relative;

        if (!area)
                return 0;
        stub = area + number * STUB;
        set_protection((uintptr_t)stub, STUB, PROT_READ | PROT_WRITE);
        next = write_stub(stub, l, number);
        set_protection((uintptr_t)stub, STUB, PROT_READ | PROT_EXEC);
        if (!next)
                return 0;
        relative = (int32_t)((uintptr_t)stub - (window + sizeof code));
        rt_copy(code + 1, &relative, 4);
        overwrite(window, code, sizeof code);
        return (uintptr_t)next;
}

uintptr_t patch_slot(const struct wire_locked *l, uint32_t number)
{
        uint8_t *area = area_near(l->addr), *stub, *next;
        uint64_t *slot = (uint64_t *)l->addr;

        if (!area)
                return 0;
        stub = area + number * STUB;
        set_protection((uintptr_t)stub, STUB, PROT_READ | PROT_WRITE);
        next = enter(stub, number);
        jump(next, *slot);
        set_protection((uintptr_t)stub, STUB, PROT_READ | PROT_EXEC);
        stubs[number] = (struct stub){(uintptr_t)stub, (uintptr_t)stub, (uintptr_t)next, 0};
        set_protection(l->addr, sizeof *slot, PROT_READ | PROT_WRITE);
        *slot = (uint64_t)(uintptr_t)stub;
        return (uintptr_t)next;
}

uintptr_t patch_copy(const struct wire_locked *l, uint32_t number)
{
        uint8_t *area = area_near(l->addr), *stub, *last;
        uint32_t fix = l->fix > l->before ? l->fix - l->before : 0;

        if (!area)
                return 0;
        stub = area + number * STUB;
        set_protection((uintptr_t)stub, STUB, PROT_READ | PROT_WRITE);
        last = move(stub, l->addr, l->length, fix);
        if (last)
                jump(last, l->addr + l->length);
        set_protection((uintptr_t)stub, STUB, PROT_READ | PROT_EXEC);
        stubs[number] = (struct stub){l->addr, l->addr, (uintptr_t)stub, 0};
        return last ? (uintptr_t)stub : 0;
}

bool patch_is_done(const struct wire_locked *l, uint32_t number)
{
        const uint8_t *code = (const uint8_t *)(l->addr - l->before), *trap = (const uint8_t *)l->addr;
        const struct stub *s = &stubs[number];
        int32_t relative;

        rt_copy(&relative, code + 1, 4);
        if (trap[0] == 0x0f && trap[1] == 0x0b)
                return true;
        for (uint32_t i = 0; i < n_areas && s->window == (uintptr_t)code && code[0] == 0xe9; i++)
                if ((uintptr_t)code + 5 + (uintptr_t)(intptr_t)relative == (uintptr_t)areas[i] + number * STUB)
                        return true;
        return false;
}

bool patch_reserve(uintptr_t addr)
{
        return area_near(addr) != NULL;
}

uintptr_t patch_origin(uintptr_t pc)
{
        for (uint32_t i = 0; i < n_areas; i++) {
                uintptr_t offset = pc - (uintptr_t)areas[i];
                const struct stub *s = &stubs[offset / STUB % WIRE_MAX_LOCKED];

                if (offset >= AREA)
                        continue;
                if (offset % STUB < s->before)
                        return s->window + offset % STUB;
                return pc < s->next ? s->window + s->before : s->rest + (pc - s->next);
        }
        return pc;
}
