// The operators of C++, chosen by -DCASE=N: see heap.c.
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

struct alignas(64) wide {
        int n[16];
};

static void run()
{
#if CASE == 0 // nothing wrong
        auto p = std::make_unique<int[]>(7);
        for (int i = 0; i < 7; i++)
                p[i] = i;
        auto s = std::make_shared<std::string>(std::string(100, 'x'));
        std::vector<wide> v(3);
        v.push_back(wide());
        v[3].n[15] = p[6] + (int)s->size();
        delete new (std::nothrow) wide;
#elif CASE == 5 // no memory
        try {
                wide *p = new wide;
                p->n[0] = 1;
                delete p;
        } catch (const std::bad_alloc &) {
        }
        int *q = new (std::nothrow) int;
        if (q)
                *q = 1;
        delete q;
#elif CASE == 1
        int *p = new int(1); /* MADE */
        delete p;            /* FREED */
        *p = 2;              /* HERE */
#elif CASE == 2
        int *p = new int[5]; /* MADE */
        p[5] = 1;            /* HERE */
#elif CASE == 3
        int *p = new int[5]; /* MADE */
        free(p);             /* HERE */
#elif CASE == 4
        wide *p = new wide; /* MADE */
        delete p;           /* FREED */
        delete p;           /* HERE */
#endif
}

int main()
{
        std::thread a(run), b(run); /* HERE, where it is not caught */
        a.join();
        b.join();
}
