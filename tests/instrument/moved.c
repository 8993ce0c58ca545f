/* A read that both branches make is moved before them, and has no line of its own then. */
int moved(int which, const int *from)
{
        if (which)
                return *from + 1;
        return *from * 3;
}
