/* Two threads, a state of Lua each. */
#include <assert.h>
#include <pthread.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

static const char script[] = "local t = {}\n"
                             "for i = 1, 20 do t[i] = (i * 7) % 11 end\n"
                             "table.sort(t)\n"
                             "local ok, e = pcall(error, 'x')\n"
                             "local co = coroutine.wrap(function() coroutine.yield(3) end)\n"
                             "return #t + t[1] + co() + (ok and 100 or 0)";

static void *run(void *arg)
{
        lua_State *l = luaL_newstate();

        (void)arg;
        luaL_openlibs(l);
        assert(luaL_dostring(l, script) == LUA_OK);
        assert(lua_tointeger(l, -1) == 23);
        lua_close(l);
        return NULL;
}

int main(void)
{
        pthread_t t[2];

        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, run, NULL);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        return 0;
}
