#ifndef COUNTER_H
#define COUNTER_H

void counter_add(int n);
int counter_get(void);

#endif
