/* The library of bank.c: an update that can be lost. */
int balance;

void deposit(int amount)
{
        balance += amount;
}
