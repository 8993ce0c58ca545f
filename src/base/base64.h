/* Bytes as text (RFC 4648). */
#ifndef HEDDLE_BASE_BASE64_H
#define HEDDLE_BASE_BASE64_H

#include <stddef.h>

/* The caller frees it; NULL: out of memory. */
char *base64_encode(const void *bytes, size_t n);

/* The bytes of a text of n characters, which must be whole groups of four; the caller frees them.  NULL: it is malformed, or
 * out of memory. */
unsigned char *base64_decode(const char *text, size_t n, size_t *size);

#endif
