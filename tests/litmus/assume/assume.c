/* Executions that break an assumption are not checked. */
#include <heddle/heddle.h>

int x;

int main(void)
{
        x = (int)heddle_choose(4);
        heddle_assume(x % 2 == 0);
        return 0;
}
