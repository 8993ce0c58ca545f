/*
 * Flanagan, Godefroid: Dynamic partial-order reduction for model checking software (POPL 2005), the file system: each of
 * N threads gives a block to its inode if that has none, and looks for a free one from 2i on.  The first 13 threads do not
 * meet.
 */
#include <pthread.h>

#ifndef N
#define N 14
#endif
#define INODES 32
#define BLOCKS 26

static pthread_mutex_t inode_lock[INODES], block_lock[BLOCKS];
static int inode[INODES], busy[BLOCKS];
static int ids[N];

static void *create(void *arg)
{
        int i = *(int *)arg % INODES, b;

        pthread_mutex_lock(&inode_lock[i]);
        if (inode[i] == 0) {
                for (b = i * 2 % BLOCKS;; b = (b + 1) % BLOCKS) {
                        pthread_mutex_lock(&block_lock[b]);
                        if (!busy[b])
                                break;
                        pthread_mutex_unlock(&block_lock[b]);
                }
                busy[b] = 1;
                inode[i] = b + 1;
                pthread_mutex_unlock(&block_lock[b]);
        }
        pthread_mutex_unlock(&inode_lock[i]);
        return NULL;
}

int main(void)
{
        pthread_t threads[N];

        for (int i = 0; i < INODES; i++)
                pthread_mutex_init(&inode_lock[i], NULL);
        for (int i = 0; i < BLOCKS; i++)
                pthread_mutex_init(&block_lock[i], NULL);
        for (int i = 0; i < N; i++) {
                ids[i] = i;
                pthread_create(&threads[i], NULL, create, &ids[i]);
        }
        for (int i = 0; i < N; i++)
                pthread_join(threads[i], NULL);
        return 0;
}
