/* Names of predictions, in reports. */
#include "trace/prediction.h"

const char *prediction_name(enum prediction_kind kind)
{
        static const char *const names[PREDICTION_KINDS] = {
                [PREDICT_RACE] = "race",   [PREDICT_DEADLOCK] = "deadlock", [PREDICT_WAKEUP] = "wakeup",
                [PREDICT_FREED] = "freed", [PREDICT_NULL] = "null",         [PREDICT_ATOMICITY] = "atomicity",
                [PREDICT_ORDER] = "order",
        };

        return names[kind];
}
