/* `heddle explain`. */
#ifndef HEDDLE_CLI_EXPLAIN_H
#define HEDDLE_CLI_EXPLAIN_H

int explain_main(char **argv);

#endif
