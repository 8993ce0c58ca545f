/* The settings of programs: most are checked as heddle does it without options. */
#include "settings.h"

const struct settings *settings_of(int index)
{
        static const struct settings plain = {EXPLORE, 0, ARBITRARY, {0}};
        static const struct settings others[] = {
                {STUCK, 0, ARBITRARY, {"--timeouts", "stuck"}},
                {NEVER, 0, ARBITRARY, {"--timeouts", "never"}},
                {EXPLORE, 1, ARBITRARY, {"--spurious", "1"}},
                {EXPLORE, 0, FIFO, {"--wakeup", "mutex=fifo,sem=fifo,cond=fifo"}},
                {STUCK, 0, LIFO, {"--wakeup", "mutex=lifo,sem=lifo,cond=lifo", "--timeouts", "stuck"}},
        };

        return index % 2 == 0 ? &plain : index % 3 == 0 ? &plain : &others[index / 2 % 5];
}
