# A C program of two threads that move values through variables, arrays, pointers, structs, lists, functions and locals of threads: -v seed=N.
# At its end it checks, prints or returns some of them.  With --static off and on it has the same failures and outputs.
function random(n) { state = (state * 1103515245 + 12345) % 2147483648; return int(state / 65536) % n }
function one(list,   n, of) { n = split(list, of, " "); return of[1 + random(n)] }
function global() { return "g[" random(8) "]" }
function value(   k) {
        k = random(16)
        if (k < 2) return global()
        if (k < 4) return "l" random(3)
        if (k == 4) return "arr[" global() " & 3]"
        if (k == 5) return "arr[" random(4) "]"
        if (k == 6) return "load(&" global() ")"
        if (k == 7) return random(4)
        return one("s.a s.b t.b *p *q head->v mine n0.v")
}
function expression(   k, a, b) {
        k = random(9); a = value(); b = value()
        if (k < 4) return a
        if (k < 6) return a " " one("+ - * ^ | &") " " b
        if (k == 6) return "both(" a ", " b ")"
        if (k == 7) return "(" value() " > " random(3) " ? " a " : " b ")"
        return "make(" a ", " b ")." one("a b")
}
function target(   k) {
        k = random(13)
        if (k < 3) return global()
        if (k == 3) return "arr[" random(4) "]"
        if (k == 4) return "arr[" global() " & 3]"
        if (k == 5) return "l" random(3)
        if (k == 6) return "*where(" value() ")"
        return one("s.a s.b t.a *p *q head->v mine n1.v")
}
function statement(depth,   k, a, b) {
        k = random(20); a = value()
        if (k < 7) return target() " = " expression() ";"
        if (k < 9) return target() " += " a ";"
        if (k == 9) return one("p q") " = &" global() ";"
        if (k == 10) return random(2) ? "s = t;" : "t = make(" a ", " value() ");"
        if (k == 11) { b = global(); return "memcpy(&" b ", &" global() ", sizeof(int));" }
        if (k == 12) return "store(&" global() ", " a ");"
        if (k == 13) return "step[" a " & 1](&" global() ");"
        if (k == 14) return "head = " one("&n0 &n1 head->next?head->next:head") ";"
        if (k == 15) return "fill(&" one("s t") ", " a ");"
        if (k == 16) return "memset(arr, " a " & 3, sizeof arr);"
        if (k == 17) return "{ int *w = p; p = q; q = w; }"
        if (depth == 2) return target() " += 1;"
        b = statement(depth + 1)
        return "if (" a " " one("== > <") " " random(3) ") { " b " } else { " statement(depth + 1) " }"
}
function worker(i,   sections, lines) {
        print "static void *work" i "(void *unused)\n{\n        int l0 = " i ", l1 = 0, l2 = 1;\n"
        for (sections = 2 + random(2); sections; sections--) {
                print "        pthread_mutex_lock(&lock);"
                for (lines = 1 + random(3); lines; lines--) print "        " statement(0)
                print "        pthread_mutex_unlock(&lock);"
        }
        print "        (void)l0, (void)l1, (void)l2;"
        print "        return " (random(2) ? "unused" : random(2) ? "(void *)(long)l0" : "(void *)(long)(mine & 1)") ";\n}\n"
}
function check(   k, v) {
        k = random(4); v = expression()
        if (k == 0) print "        if (" v " == " random(8) - 2 ")\n                abort();"
        else if (k == 1) print "        printf(\"%d\\n\", " v ");"
        else if (k == 2) print "        if ((" v ") & 1)\n                return 3;"
        else print "        if (arr[(" v ") & 3] > " random(5) ")\n                abort();"
}
BEGIN {
        state = seed * 7919 + 17
        for (i = 0; i < 3; i++) random(2)
        print "#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>"
        print "struct pair { int a, b; };\nstruct node { int v; struct node *next; };"
        print "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\nstatic int g[8], arr[4];\nstatic struct pair s, t;"
        print "static struct node n0, n1, *head = &n0;\nstatic int *p = &g[0], *q = &g[1];\nstatic _Thread_local int mine;"
        print "static __attribute__((noinline)) void store(int *w, int v) { *w = v; }"
        print "static __attribute__((noinline)) int load(const int *w) { return *w; }"
        print "static __attribute__((noinline)) int both(int a, int b) { return a * 2 + b; }"
        print "static void inc(int *w) { ++*w; }\nstatic void dec(int *w) { --*w; }\nstatic void (*step[2])(int *) = {inc, dec};"
        print "static int *where(int k) { return k & 1 ? &g[2] : &g[3]; }"
        print "static struct pair make(int a, int b) { struct pair r = {a, b}; return r; }"
        print "static void fill(struct pair *w, int v) { w->a = v; w->b = 1; }\n"
        for (i = 0; i < 2; i++) worker(i)
        print "int main(void)\n{\n        pthread_t a, b;\n        void *r;\n        int l0 = 0, l1 = 1, l2 = 2;\n\n        n0.next = &n1;"
        print "        for (int i = 0; i < 8; i++)\n                g[i] = i;"
        print "        pthread_create(&a, 0, work0, 0);\n        pthread_create(&b, 0, work1, 0);"
        print "        pthread_join(a, " one("0 &r") ");\n        pthread_join(b, 0);"
        for (i = 1 + random(2); i; i--) check()
        print "        (void)l0, (void)l1, (void)l2, (void)r;\n        return 0;\n}"
}
