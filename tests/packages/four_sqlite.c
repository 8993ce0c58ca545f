/*
 * Four threads fill one database in memory, each with names of its own, over a connection that SQLite serialises.  Every name is to be
 * there once: a thread looks before it inserts.  Two of them have one name in common, the first one's first and the last one's last,
 * and nothing makes the two statements one transaction.  With FIXED they are one statement.
 */
#include <assert.h>
#include <pthread.h>

#include "sqlite3.h"

#define THREADS 4
#define NAMES   3

struct client {
        sqlite3_stmt *look, *insert;
        int names[NAMES];
};

static sqlite3 *db;
static struct client clients[THREADS] = {
        {.names = {1, 2, 3}}, {.names = {4, 5, 6}}, {.names = {7, 8, 9}}, {.names = {10, 11, 1}}};

/* The number that the statement returns for a name; 0: none. */
static int run(sqlite3_stmt *s, int name)
{
        int n = 0;

        assert(sqlite3_bind_int(s, 1, name) == SQLITE_OK);
        if (sqlite3_step(s) == SQLITE_ROW)
                n = sqlite3_column_int(s, 0);
        assert(sqlite3_reset(s) == SQLITE_OK);
        return n;
}

static void *fill(void *arg)
{
        const struct client *c = arg;

        for (int i = 0; i < NAMES; i++) {
#ifndef FIXED
                if (run(c->look, c->names[i]))
                        continue;
#endif
                run(c->insert, c->names[i]);
        }
        return NULL;
}

static sqlite3_stmt *prepare(const char *sql)
{
        sqlite3_stmt *s;

        assert(sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK);
        return s;
}

int main(void)
{
        pthread_t threads[THREADS];

        sqlite3_config(SQLITE_CONFIG_SERIALIZED);
        sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
        assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
        assert(sqlite3_exec(db, "CREATE TABLE t(name)", NULL, NULL, NULL) == SQLITE_OK);
        for (int i = 0; i < THREADS; i++) {
                clients[i].look = prepare("SELECT count(*) FROM t WHERE name = ?1");
#ifdef FIXED
                clients[i].insert =
                        prepare("INSERT INTO t SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM t WHERE name = ?1)");
#else
                clients[i].insert = prepare("INSERT INTO t VALUES (?1)");
#endif
        }
        for (int i = 0; i < THREADS; i++)
                pthread_create(&threads[i], NULL, fill, &clients[i]);
        for (int i = 0; i < THREADS; i++)
                pthread_join(threads[i], NULL);
        assert(run(clients[0].look, 1) == 1);
        return 0;
}
