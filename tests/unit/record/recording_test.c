/* Entries that repeat the words before them, and more lost branches than 32 bits count: written, read, and made into paths. */
#include "record/recording.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "record/paths.h"

#define FULL REC_INFO(REC_BRANCHES, REC_BITS, 0, 0)
#define LOST UINT64_C(5000000000)

static struct rec_entry entries[] = {
        {5, FULL},
        {6, FULL},
        {3000000000, REC_INFO(REC_REPEAT, 2, 0, 0)},
        {1, REC_INFO(REC_BRANCHES, 2, 0, 7)},
};

static int again(struct recording *to, const struct recording *from)
{
        struct error why = {""};
        FILE *f = tmpfile();

        assert(f && recording_write(from, f) == 0);
        rewind(f);
        int err = recording_read(to, f, &why);
        fclose(f);
        return err;
}

static void check_paths(const struct recording *r)
{
        struct error why = {""};
        struct wire_paths *w = paths_make(r, &why);
        uint64_t repeated = UINT64_C(3000000000) * REC_BITS, n = 2 * REC_BITS;

        assert(w && w->all[0].lost == LOST && w->all[0].bits == n + repeated + 2 && w->all[0].n_repeats == 1);
        assert(w->repeats[0].from == n && w->repeats[0].until == n + repeated && w->repeats[0].period == n);
        assert(w->all[0].n_stamps == 1 && w->stamps[0].bit == LOST + n + repeated + 2);
        assert(w->words[0] >> 60 == 5 && w->words[1] >> (2 * REC_BITS - 64) == 2); /* the last bits, the first lowest */
        free(w);
}

/* Inputs have kinds, and times of creations and joins count them; without their beginning nothing is counted. */
static void check_operations(struct recording *r, struct recorded_thread *thread)
{
        static struct rec_entry operations[] = {
                {0, REC_INFO(REC_CREATE, 0, 0, 1)},         {0, REC_INFO(REC_CREATE, 0, 0, 2)},
                {9, REC_INFO(REC_INPUT, REC_RANDOM, 0, 3)}, {REC_HEAD(8, 0, 1), REC_INFO(REC_READ, 0, 0, 4)},
                {8, REC_INFO(REC_DATA, 0, 0, 0)},           {0, REC_INFO(REC_JOIN, 0, 0, 5)}};
        struct error why = {""};
        struct recording got;

        *thread = (struct recorded_thread){.entries = operations, .n = 6};
        r->processors = 48;
        assert(again(&got, r) == 0 && got.processors == 48 && got.format == RECORDING_VERSION);
        struct wire_paths *w = paths_make(&got, &why);
        assert(w && !w->untyped && w->processors == 48 && w->all[0].bits == 0 && w->all[0].n_inputs == 3);
        assert(w->input_kinds[0] == REC_RANDOM && w->input_kinds[1] == REC_CALL && w->input_kinds[2] == REC_CALL);
        assert(w->stamps[0].turns == 0 && w->stamps[1].turns == 1 && w->stamps[2].turns == 0 &&
               w->stamps[4].turns == 2);
        free(w);
        got.threads[0].lost_entries = 1;
        got.format = RECORDING_TYPED - 1;
        w = paths_make(&got, &why);
        assert(w && w->untyped && w->stamps[1].turns == 0 && w->stamps[4].turns == 0);
        free(w);
        recording_fini(&got);
        operations[2].info = REC_INFO(REC_INPUT, REC_INPUTS, 0, 3);
        assert(again(&got, r) < 0);
        recording_fini(&got);
}

int main(void)
{
        static char *argv[] = {"program", NULL}, *env[] = {NULL};
        struct recorded_thread thread = {.lost = LOST, .entries = entries, .n = 4};
        struct recording r = {.heddle = "x",
                              .program = "x",
                              .folder = "x",
                              .argv = argv,
                              .env = env,
                              .condition = "",
                              .file = "",
                              .function = "",
                              .threads = &thread,
                              .n_threads = 1},
                         got;

        assert(again(&got, &r) == 0);
        assert(got.threads[0].lost == LOST && recording_bits(&got.threads[0]) == UINT64_C(3000000002) * REC_BITS + 2);
        check_paths(&got);
        recording_fini(&got);
        for (unsigned i = 0; i < 3; i++) { /* words that are not there, or not full */
                static const uint64_t wrong[] = {REC_INFO(REC_REPEAT, 3, 0, 0), REC_INFO(REC_REPEAT, 0, 0, 0),
                                                 REC_INFO(REC_REPEAT, 9, 0, 0)};
                entries[2].info = wrong[i];
                assert(again(&got, &r) < 0);
                recording_fini(&got);
        }
        entries[2].info = REC_INFO(REC_REPEAT, 2, 0, 0);
        entries[1].info = REC_INFO(REC_BRANCHES, REC_BITS - 1, 0, 0);
        assert(again(&got, &r) < 0);
        recording_fini(&got);
        check_operations(&r, &thread);
        puts("PASS recording");
        return 0;
}
