/*
 * SQLite with threads, for what a recording costs: each thread fills and asks a database of its own in memory, and now and then one
 * that all of them share.
 *
 *     sqlite ROUNDS [FOLDER]
 *
 * With a folder the databases are files there.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "sqlite3.h"

#define THREADS 2

static sqlite3 *shared;
static int rounds = 30000;
static const char *folder;

static sqlite3 *open_new(int number)
{
        sqlite3 *db;
        char name[256] = ":memory:";

        if (folder)
                snprintf(name, sizeof name, "%s/%d.db", folder, number);
        assert(sqlite3_open(name, &db) == SQLITE_OK);
        assert(sqlite3_exec(db,
                            "CREATE TABLE IF NOT EXISTS t(k INTEGER PRIMARY KEY, name TEXT, n INT); CREATE INDEX IF "
                            "NOT EXISTS i ON t(n)",
                            NULL, NULL, NULL) == SQLITE_OK);
        return db;
}

static void run(sqlite3_stmt *s, int a, int b)
{
        sqlite3_bind_int(s, 1, a);
        sqlite3_bind_int(s, 2, b);
        while (sqlite3_step(s) == SQLITE_ROW)
                ;
        assert(sqlite3_reset(s) == SQLITE_OK);
}

static void *work(void *arg)
{
        sqlite3 *own = open_new((int)(long)arg), *of[2] = {own, shared};
        sqlite3_stmt *insert[2], *ask[2];
        int self = (int)(long)arg;

        for (int i = 0; i < 2; i++) {
                sqlite3_prepare_v2(of[i], "INSERT OR REPLACE INTO t VALUES(?1, printf('name %d', ?2), ?2)", -1,
                                   &insert[i], NULL);
                sqlite3_prepare_v2(of[i], "SELECT count(*), max(name) FROM t WHERE n BETWEEN ?1 AND ?2", -1, &ask[i],
                                   NULL);
        }
        for (int i = 0; i < rounds; i++) {
                int which = i % 100 == 0, n = (int)((unsigned)i * 2654435761u >> 16);
                run(insert[which], i * THREADS + self, n);
                run(ask[which], n - 20, n + 20);
        }
        for (int i = 0; i < 2; i++) {
                sqlite3_finalize(insert[i]);
                sqlite3_finalize(ask[i]);
        }
        sqlite3_close(own);
        return NULL;
}

int main(int argc, char **argv)
{
        pthread_t threads[THREADS];

        rounds = argc > 1 ? atoi(argv[1]) : rounds;
        folder = argc > 2 ? argv[2] : NULL;
        shared = open_new(THREADS);
        for (long i = 0; i < THREADS; i++)
                pthread_create(&threads[i], NULL, work, (void *)i);
        for (int i = 0; i < THREADS; i++)
                pthread_join(threads[i], NULL);
        sqlite3_close(shared);
        return 0;
}
