/* A lock for many readers and two writers, 1 and 2; all bytes 0 at first. */
#ifndef RWW_H
#define RWW_H
struct rww {
        long object; /* heddle models the state: only the address counts */
};
void rww_read_lock(struct rww *l);
void rww_read_unlock(struct rww *l);
void rww_write_lock(struct rww *l, int writer);
void rww_write_unlock(struct rww *l);
#endif
