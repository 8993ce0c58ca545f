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

void prediction_add(struct prediction_figures *to, const struct prediction_figures *from)
{
        for (uint32_t i = 0; i < PREDICTION_KINDS; i++) {
                to->predicted[i] += from->predicted[i];
                to->confirmed[i] += from->confirmed[i];
                to->refuted[i] += from->refuted[i];
        }
        to->both += from->both;
        to->impossible += from->impossible;
        to->open += from->open;
        to->counted |= from->counted;
}
