/* The number of answers of one choice depends on the one before. */
#include <heddle/heddle.h>

int sum;

int main(void)
{
        int first = (int)heddle_choose(3);

        sum = first;
        sum += (int)heddle_choose((unsigned)first + 1);
        return 0;
}
