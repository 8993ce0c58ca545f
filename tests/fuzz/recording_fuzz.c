/*
 * Recordings: any bytes are refused with a reason, or can be made into paths and shown.
 */
#include <stdint.h>
#include <stdlib.h>

#include "record/paths.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct stream s = STREAM_INIT;
        struct recording r;
        struct error why = {""};

        stream_put(&s, data, size);
        if (recording_decode(&r, &s, RECORDING_VERSION, &why) == 0)
                free(paths_make(&r, &why));
        else if (!why.text[0])
                abort();
        recording_fini(&r);
        stream_fini(&s);
        return 0;
}
