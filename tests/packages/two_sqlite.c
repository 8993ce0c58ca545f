/* Two threads insert into one database in memory, in serialized mode; with UNSERIALIZED in the mode that forbids it. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "sqlite3.h"

static sqlite3 *db;

static void *run(void *sql)
{
        assert(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK);
        return NULL;
}

static int count(void *n, int columns, char **values, char **names)
{
        (void)columns;
        (void)names;
        *(int *)n = atoi(values[0]);
        return 0;
}

int main(void)
{
        static char one[] = "INSERT INTO t VALUES(1)", two[] = "INSERT INTO t VALUES(2)";
        pthread_t t[2];
        int n = 0;

#ifdef UNSERIALIZED
        sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
#else
        sqlite3_config(SQLITE_CONFIG_SERIALIZED);
#endif
        sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
        assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
        assert(sqlite3_exec(db, "CREATE TABLE t(x)", NULL, NULL, NULL) == SQLITE_OK);
        pthread_create(&t[0], NULL, run, one);
        pthread_create(&t[1], NULL, run, two);
        pthread_join(t[0], NULL);
        pthread_join(t[1], NULL);
        assert(sqlite3_exec(db, "SELECT sum(x) FROM t", count, &n, NULL) == SQLITE_OK);
        assert(n == 3);
        sqlite3_close(db);
        return 0;
}
