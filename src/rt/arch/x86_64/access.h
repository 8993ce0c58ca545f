/* What access.S knows of wire/inline.h and rt/memory/shadow.h, which are for C; access.c compares. */
#ifndef HEDDLE_RT_ARCH_X86_64_ACCESS_H
#define HEDDLE_RT_ARCH_X86_64_ACCESS_H

#define ACCESS_MARK    0x100000
#define ACCESS_ADDRESS 0x100010
#define ACCESS_INFO    0x100018
#define ACCESS_SIZE    0x7f
#define ACCESS_FLIP    0x640000000000
#define ACCESS_SKEW    0x800

#endif
