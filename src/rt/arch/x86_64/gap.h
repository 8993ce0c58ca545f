/*
 * The distance that the runtime keeps from the program's frames.
 *
 * What a function of the runtime leaves on the stack below its caller becomes a part of frames that the program sets up
 * later, in bytes that it never writes: padding, and locals without a value.  Spin detection compares whole frames (spin.c),
 * so these bytes must follow from the program alone, and not from what the runtime had to do: whether it switched threads,
 * recorded call stacks, followed a prefix.  So entries to the runtime skip RT_GAP bytes before they call anything.
 *
 * Included by assembly too.
 */
#ifndef HEDDLE_RT_ARCH_X86_64_GAP_H
#define HEDDLE_RT_ARCH_X86_64_GAP_H

#define RT_GAP 17472 /* a multiple of 16, and not of 4096: loads wait for stores that differ by that */

#endif
