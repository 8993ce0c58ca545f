/*
 * Schedule texts: any text is refused with a reason or understood, and what is understood is within its bounds.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "trace/schedule.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        char *text = malloc(size + 1);
        struct error why = {""};
        struct schedule_text s;

        memcpy(text, data, size);
        text[size] = '\0';
        schedule_is_text(text);
        if (schedule_decode(&s, text, &why) == 0) {
                for (uint32_t i = 0; i < s.n_segments; i++)
                        if ((s.segments[i].actor & ~WIRE_FLUSH) >= WIRE_MAX_THREADS)
                                abort();
                if (s.n_segments == 0 || s.n_segments > WIRE_MAX_SEGMENTS || s.head.fingerprint > 0xffffff ||
                    s.head.memory > WIRE_MEMORY_PSO)
                        abort();
                schedule_fini(&s);
        } else if (!why.text[0] || strlen(why.text) >= ERROR_TEXT) {
                abort();
        }
        free(text);
        return 0;
}
