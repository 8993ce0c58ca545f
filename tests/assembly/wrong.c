/* No instruction of any machine. */
void work(void);
void work(void) { __asm__ volatile("nonsense %eax"); }
