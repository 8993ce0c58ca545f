/*
 * Which build of a program a schedule belongs to.
 */
#ifndef HEDDLE_TARGET_BUILD_FINGERPRINT_H
#define HEDDLE_TARGET_BUILD_FINGERPRINT_H

#include <stdint.h>

/* 24 bits of the program's code and data; 0 if the file cannot be read. */
uint32_t identity_of(const char *path);

#endif
