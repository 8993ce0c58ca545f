/* Names, each as often as it was added. */
#ifndef HEDDLE_STATIC_NAME_SET_H
#define HEDDLE_STATIC_NAME_SET_H

#include "base/vec.h"

struct name_set {
        VEC(char *) all;
};

void name_set_add(struct name_set *names, const char *name);
void name_set_sort(struct name_set *names);
/* How often the name is among them, which are sorted. */
uint32_t name_set_count(const struct name_set *names, const char *name, size_t length);
void name_set_fini(struct name_set *names);

#endif
