/*
 * The functions of std::unordered_map and std::hash that libstdc++ keeps out of line: each announces what it accesses of the
 * program's memory and leaves the work to the library.  Linked into programs before libstdc++.
 */
#include <dlfcn.h>

#include <unordered_map>

extern "C" void __tsan_write8(void *);
extern "C" void __tsan_read_range(const void *, unsigned long);

namespace
{
/* The library's own function of this name. */
template <typename F> F library(const char *name) __attribute__((no_sanitize("thread")));
template <typename F> F library(const char *name)
{
        return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}
} // namespace

namespace std
{
namespace __detail
{
size_t _Prime_rehash_policy::_M_next_bkt(size_t n) const
{
        using next = size_t (*)(const _Prime_rehash_policy *, size_t);

        __tsan_write8(&_M_next_resize);
        return library<next>("_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm")(this, n);
}

pair<bool, size_t> _Prime_rehash_policy::_M_need_rehash(size_t buckets, size_t elements, size_t more) const
{
        using need = pair<bool, size_t> (*)(const _Prime_rehash_policy *, size_t, size_t, size_t);

        if (elements + more <= _M_next_resize)
                return {false, 0};
        __tsan_write8(&_M_next_resize);
        return library<need>("_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm")(this, buckets, elements, more);
}
} // namespace __detail

size_t _Hash_bytes(const void *bytes, size_t n, size_t seed)
{
        using hash = size_t (*)(const void *, size_t, size_t);

        __tsan_read_range(bytes, n);
        return library<hash>("_ZSt11_Hash_bytesPKvmm")(bytes, n, seed);
}
} // namespace std
