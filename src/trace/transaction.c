/* See transaction.h.  The value of an entry is the status that _xbegin() returns. */
#include "trace/transaction.h"

#include <stdio.h>
#include <string.h>

#include "op/op.h"

static const struct {
        uint32_t bit;
        const char *name;
} bits[] = {{WIRE_TXN_EXPLICIT, "_xabort"}, {WIRE_TXN_CONFLICT, "conflict"}, {WIRE_TXN_CAPACITY, "capacity"},
            {WIRE_TXN_DEBUG, "debug"},      {WIRE_TXN_NESTED, "nested"},     {WIRE_TXN_RETRY, "retry"}};

static void describe(uint32_t status, bool own, char text[TRANSACTION_TEXT])
{
        const char *sep = "";
        size_t n = (size_t)snprintf(text, TRANSACTION_TEXT, "transaction aborts (");

        for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
                if (!(status & bits[i].bit))
                        continue;
                n += (size_t)snprintf(text + n, TRANSACTION_TEXT - n, "%s%s", sep, bits[i].name);
                if (bits[i].bit == WIRE_TXN_EXPLICIT)
                        n += (size_t)snprintf(text + n, TRANSACTION_TEXT - n, " %u", status >> WIRE_TXN_CODE_SHIFT);
                sep = ", ";
        }
        if (!(status & ~WIRE_TXN_NESTED))
                n += (size_t)snprintf(text + n, TRANSACTION_TEXT - n, "%s%s", sep,
                                      own ? "a system call, a fault or a lock that is taken" : "status 0");
        snprintf(text + n, TRANSACTION_TEXT - n, ")");
}

const char *transaction_text(const struct wire_event *e, char text[TRANSACTION_TEXT])
{
        if (e->op != OP_TXN && e->op != OP_TXN_RUN && e->op != OP_TXN_TRY)
                return NULL;
        if (e->value != WIRE_TXN_STARTED)
                describe((uint32_t)e->value, e->op != OP_TXN, text);
        else
                strcpy(text, e->op == OP_TXN       ? "transaction begins"
                             : e->op == OP_TXN_RUN ? "transaction commits"
                                                   : "transaction runs");
        return text;
}
