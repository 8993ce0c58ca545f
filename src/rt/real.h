/* The functions behind the wrappers. */
#ifndef HEDDLE_RT_REAL_H
#define HEDDLE_RT_REAL_H

#pragma GCC visibility push(hidden)

/* The address of the next definition of an exported function after ours; a fault if there is none. */
void *rt_real(const char *name);

/* The real function behind a wrapper, looked up once. */
#define RT_REAL(name)                                              \
        ({                                                         \
                static __typeof__(&name) real_;                    \
                if (!real_)                                        \
                        real_ = (__typeof__(&name))rt_real(#name); \
                real_;                                             \
        })

#pragma GCC visibility pop

#endif
