/* One value at a time from one thread to another; all bytes 0 at first. */
#ifndef HANDOFF_H
#define HANDOFF_H
struct handoff {
        long object;
};
void handoff_give(struct handoff *h, int value);
int handoff_take(struct handoff *h);
#endif
