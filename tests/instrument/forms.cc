/*
 * forms KIND DIRECTION: as accesses.c, with what C++ and unusual control flow make of an access: each kind writes and reads one int,
 * which lives where the kind says.
 *
 *   write: A writes it in the way of the kind, B reads it.     read: A reads it in that way, B writes it.
 */
#include <alloca.h>
#include <csetjmp>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <pthread.h>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#define APART __attribute__((noinline))

int seen;
static int *where; /* the int, for the thread that does nothing special */
static int shared;

struct Base {
        virtual ~Base() = default;
        virtual int get() const { return 0; }
        virtual void set(int) {}
};
struct Left {
        long pad = 0;
        virtual ~Left() = default;
};
struct Derived : Left, Base {
        int value = 0;
        int get() const override { return value; }
        void set(int v) override { value = v; }
};
struct Virtual : virtual Base {
        int value = 0;
        int get() const override { return value; }
        void set(int v) override { value = v; }
};
struct Odd {
        char c;
        int value;
} __attribute__((packed));
struct Large {
        long before[5];
        int value;
};
struct Bits {
        unsigned long a : 7;
        int value : 31;
        unsigned long b : 26;
};
union Both {
        int value;
        float other;
};

static Derived derived;
static Virtual with_virtual;
static Odd odd[3];
static Large large;
static Both both;
static std::vector<int> vec(4);
static std::map<int, int> tree{{1, 0}};
static std::optional<int> maybe{0};
static std::variant<char, int> either{0};
static std::tuple<char, int> pair{'a', 0};
static std::unique_ptr<int> owned{new int(0)};
static thread_local int own;
static int *of_thread;
static jmp_buf back;

APART static int sum(int n, ...)
{
        va_list ap;

        va_start(ap, n);
        Large l = va_arg(ap, Large);
        va_end(ap);
        return l.value;
}
APART static Large made(int v)
{
        Large l{};

        l.value = v;
        return l;
}
APART static int taken(Large l) { return l.value; }
APART static void jumps(int *p, int v)
{
        *p = v;
        longjmp(back, 1);
}
APART static int jumped(int *p)
{
        volatile int r = 0;

        if (setjmp(back) == 0) {
                r = *p;
                longjmp(back, 1);
        }
        return r;
}
APART static int computed(int *p, int v, int i)
{
        static void *const labels[] = {&&reads, &&writes};

        goto *labels[i];
reads:
        return *p;
writes:
        *p = v;
        return 0;
}
APART static void throws(int *p, int v)
{
        *p = v;
        throw p;
}
APART static int caught(int *p)
{
        try {
                throw p;
        } catch (int *q) {
                return *q;
        }
}

static Base *volatile base = &derived, *volatile base_virtual = &with_virtual;
static int Large::*volatile member = &Large::value;
static std::function<int(int)> function = [](int v) { return v < 0 ? shared : (shared = v); };

#define KINDS                                                                                                             \
        KIND(virtual_call, &derived.value, base->set(1), base->get())                                                     \
        KIND(virtual_base, &with_virtual.value, base_virtual->set(1), base_virtual->get())                                \
        KIND(packed_array, &odd[1].value, odd[1].value = 1, odd[1].value)                                                 \
        KIND(union_member, &both.value, both.other = 1.0f, both.other != 0.0f)                                            \
        KIND(pointer_to_member, &large.value, large.*member = 1, large.*member)                                           \
        KIND(assigned, &large.value, large = made(1), taken(large))                                                       \
        KIND(variadic, &large.value, large = Large(made(1)), sum(1, large))                                               \
        KIND(lambda, &shared, ([&] { shared = 1; })(), ([&] { return shared; })())                                        \
        KIND(std_function, &shared, function(1), function(-1))                                                            \
        KIND(vector, &vec[2], vec.at(2) = 1, vec.at(2))                                                                   \
        KIND(map, &tree[1], tree.at(1) = 1, tree.find(1)->second)                                                         \
        KIND(optional, &*maybe, maybe = 1, maybe.value())                                                                 \
        KIND(variant, std::get_if<int>(&either), either = 1, std::get<int>(either))                                       \
        KIND(tuple, &std::get<1>(pair), std::get<1>(pair) = 1, std::get<int>(pair))                                       \
        KIND(unique_ptr, owned.get(), *owned = 1, *owned)                                                                 \
        KIND(thread_local_of_main, of_thread, *of_thread = 1, *of_thread)                                                 \
        KIND(placement_new, &shared, new (&shared) int(1), *std::launder(&shared))                                        \
        KIND(longjmp, &shared, (setjmp(back) == 0 ? jumps(&shared, 1) : (void)0), jumped(&shared))                        \
        KIND(computed_goto, &shared, computed(&shared, 1, 1), computed(&shared, 0, 0))                                    \
        KIND(exception, &shared, ([] { try { throws(&shared, 1); } catch (int *) { } })(), caught(&shared))               \
        KIND(compound, &shared, shared |= 1, (shared & 1))                                                                \
        KIND(conditional, &shared, (shared ? large.value : shared) = 1, (seen ? &large.value : &shared)[0])

#define KIND(name, place, write, read) \
        static void write_##name() { (void)(write); }
KINDS
#undef KIND
#define KIND(name, place, write, read) \
        static int read_##name() { return (read) != 0; }
KINDS
#undef KIND
static const struct {
        const char *name;
        int *(*place)();
        void (*write)();
        int (*read)();
} kinds[] = {
#define KIND(name, place, write, read) {#name, [] { return (int *)(place); }, write_##name, read_##name},
        KINDS
#undef KIND
};
static unsigned kind;

static void *writer(void *a) { return kinds[kind].write(), a; }
static void *reader(void *a) { return seen = kinds[kind].read(), a; }
static void *last_read(void *a) { return seen = *(volatile int *)where != 0, a; }
static void *last_written(void *a) { return *(volatile int *)where = 0x3f800001, a; }

int main(int argc, char **argv)
{
        int *variable = (int *)alloca((unsigned)argc * 16);
        bool writes;
        pthread_t t, u;

        if (argc < 3) {
                for (auto &k : kinds)
                        puts(k.name);
                return 0;
        }
        variable[1] = 0;
        own = 0;
        of_thread = argc > 3 ? variable + 1 : &own;
        while (strcmp(kinds[kind].name, argv[1]) != 0)
                if (++kind == sizeof kinds / sizeof *kinds)
                        return 2;
        where = kinds[kind].place();
        writes = strcmp(argv[2], "write") == 0;
        pthread_create(&t, nullptr, writes ? writer : reader, nullptr);
        pthread_create(&u, nullptr, writes ? last_read : last_written, nullptr);
        pthread_join(t, nullptr);
        pthread_join(u, nullptr);
        return 0;
}
