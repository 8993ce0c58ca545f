/*
 * What the instructions xbegin, xend, xabort and xtest are turned into by `heddle cc`.  Outside `check` every transaction aborts at
 * once, as on a machine without them.
 */
#include "rt/arch/x86_64/stub.h"
#include "rt/rt.h"
#include "rt/txn/txn.h"

RT_STUB(heddle_rt_xbegin, intrinsic_begin, "default")
uint32_t intrinsic_begin(int tested) __attribute__((used, visibility("hidden")));
uint32_t intrinsic_begin(int tested)
{
        return rt_on() ? txn_begin(tested, RT_STUB_SITE()) : 0;
}

RT_EXPORT void heddle_rt_xend(void);
void heddle_rt_xend(void)
{
        if (rt_on())
                txn_end(RT_SITE());
}

RT_EXPORT void heddle_rt_xabort(unsigned code);
void heddle_rt_xabort(unsigned code)
{
        if (rt_on())
                txn_abort(code, RT_SITE());
}

RT_EXPORT int heddle_rt_xtest(void);
int heddle_rt_xtest(void)
{
        return rt_on() && txn_test();
}
