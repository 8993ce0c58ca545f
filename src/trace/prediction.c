/* Names of predictions in reports, and sums. */
#include "trace/prediction.h"

const char *prediction_name(enum prediction_kind kind)
{
        static const char *const names[PREDICTION_KINDS] = {
                [PREDICT_RACE] = "race",   [PREDICT_DEADLOCK] = "deadlock", [PREDICT_WAKEUP] = "wakeup",
                [PREDICT_FREED] = "freed", [PREDICT_NULL] = "null",         [PREDICT_ATOMICITY] = "atomicity",
                [PREDICT_VALUE] = "value", [PREDICT_READ] = "read",         [PREDICT_ORDER] = "order",
        };

        return names[kind];
}

static void add(struct prediction_figures *to, const struct prediction_figures *from)
{
        for (uint32_t i = 0; i < PREDICTION_KINDS; i++) {
                to->predicted[i] += from->predicted[i];
                to->confirmed[i] += from->confirmed[i];
                to->refuted[i] += from->refuted[i];
        }
}

void prediction_add(struct prediction_figures *to, const struct prediction_figures *from)
{
        add(to, from);
        to->counted = false;
}

void prediction_take(struct prediction_figures *to, struct prediction_figures *from)
{
        struct prediction_figures left = {
                .both = from->both, .impossible = from->impossible, .open = from->open, .counted = from->counted};

        add(to, from);
        *from = left;
        to->both = left.both;
        to->impossible = left.impossible;
        to->open = left.open;
        to->counted = left.counted;
}
