/*
 * heddle build: runs a build with heddle's compilers, and says which of the objects that it made are not instrumented.
 */
#ifndef HEDDLE_CLI_BUILD_H
#define HEDDLE_CLI_BUILD_H

int build_main(char **argv);

#endif
