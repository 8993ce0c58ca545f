/*
 * Trace files: any file is refused with a reason, or shown by every report.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tell.h"
#include "trace/trace_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
        struct trace_file_info info = {0};
        struct trace *trace;
        struct error why = {""};
        FILE *f = size > 0 ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;

        if (!f)
                return 0;
        if (trace_file_read(f, &trace, &info, &why) == 0) {
                tell(trace, info.schedule);
                free(trace);
                trace_file_info_fini(&info);
        } else if (!why.text[0]) {
                abort();
        }
        fclose(f);
        return 0;
}
