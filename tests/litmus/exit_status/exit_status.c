/* main returns 3. */
int main(void)
{
        return 3;
}
