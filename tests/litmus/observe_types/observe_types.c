/* Variables of every width are observed with their signs; arrays element by element. */
#include <stdint.h>
#include <stddef.h>

int8_t i8;
uint8_t u8;
int16_t i16;
uint64_t u64;
int64_t i64;
enum { RED, GREEN, BLUE } color;
short array[2];
char *null = "";

int main(void)
{
        i8 = -1;
        u8 = 255;
        i16 = -300;
        u64 = UINT64_MAX;
        i64 = INT64_MIN;
        color = BLUE;
        array[0] = 7;
        array[1] = -7;
        null = NULL;
        return 0;
}
