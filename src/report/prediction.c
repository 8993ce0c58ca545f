/* Predictions by kind, those that are failures first, and in which orders pairs of accesses were seen. */
#include "report/prediction.h"

#include <inttypes.h>

static void put_kinds(FILE *out, const char *before, const uint64_t *figures)
{
        uint32_t n = 0;

        for (uint32_t i = 0; i < PREDICTION_KINDS; i++)
                if (figures[i])
                        fprintf(out, "%s%" PRIu64 " %s", n++ ? ", " : before, figures[i], prediction_name(i));
        if (!n)
                fprintf(out, "%snone", before);
}

void prediction_put(FILE *out, const struct stats *st)
{
        const struct prediction_figures *p = &st->prediction;

        if (!st->predicts)
                return;
        put_kinds(out, "  Predicted: ", p->predicted);
        put_kinds(out, "; confirmed by running them: ", p->confirmed);
        put_kinds(out, "; refuted: ", p->refuted);
        fprintf(out, "\n");
        if (!p->counted || !(p->both + p->impossible + p->open))
                return;
        fprintf(out,
                "  Pairs of source locations with conflicting accesses: %" PRIu64 " seen in both orders, %" PRIu64
                " with the other order\n  predicted impossible, %" PRIu64 " open\n",
                p->both, p->impossible, p->open);
}
