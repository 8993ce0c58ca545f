/* See keys.h.  A table of its own: allocated from the program's heap it would be visible to the program. */
#include "rt/thread/keys.h"

#include "op/effect.h"
#include "rt/real.h"
#include "rt/util.h"

key_dtor key_dtors[MAX_KEYS];
bool keys_deleted;

static key_dtor saved_dtors[MAX_KEYS];

uint32_t key_state(pthread_key_t key)
{
        return STATE_KEY + key % MAX_KEYS;
}

void tls_save(void)
{
        rt_copy(saved_dtors, key_dtors, sizeof key_dtors);
}

void tls_restore(void)
{
        if (keys_deleted)
                rt_copy(key_dtors, saved_dtors, sizeof key_dtors);
        keys_deleted = false;
}

uint32_t tls_next_key(void)
{
        pthread_key_t key = 0;

        if (!RT_REAL(pthread_key_create)(&key, NULL))
                RT_REAL(pthread_key_delete)(key);
        return key_state(key);
}
