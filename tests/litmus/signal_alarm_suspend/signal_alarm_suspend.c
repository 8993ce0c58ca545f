#define SUSPEND
#include "../signal_alarm_masked/signal_alarm_masked.c"
