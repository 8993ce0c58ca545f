/*
 * Just enough JSON to read heddle's reports: values are kept as their text, so that 64-bit numbers stay exact.
 */
#ifndef ORACLE_JSON_H
#define ORACLE_JSON_H

struct json {
        char type;          /* '{' '[' '"' or 'v' for a number or word */
        char *key;          /* as a member of an object, else NULL */
        char *text;         /* of '"' and 'v' */
        struct json *first; /* of '{' and '[' */
        struct json *next;
};

/* NULL when the text is not JSON.  Freed by json_free(). */
struct json *json_parse(const char *text);
void json_free(struct json *j);

/* The member of an object, or NULL; and its text, or "". */
const struct json *json_get(const struct json *j, const char *key);
const char *json_text(const struct json *j, const char *key);

#endif
