/* A bounded channel of numbers; all bytes 0 at first. */
#ifndef CHANNEL_H
#define CHANNEL_H
#define CHANNEL_ROOM 5
struct channel {
        long object;
};
void channel_send(struct channel *c, int item);
int channel_receive(struct channel *c);
int channel_move(struct channel *from, struct channel *to);
#endif
