# A C program whose dependences are known: -v seed=N -v edges=FILE; the program goes to standard output.
#
# Every access is volatile and has a line of its own, so no optimisation removes or joins any.  An edge is written as
#     LINE kind object -> LINE kind object (kind of edge)
# as heddle static prints it, without files and columns.
function random(n) { state = (state * 1103515245 + 12345) % 2147483648; return int(state / 65536) % n }
function put(text) { print text; line++ }
function edge(from, to, kind) { print from " -> " to " (" kind ")" >edges }

# A variable to read or write: *name is how the source has it, *site how heddle static does; *cell its memory.
function pick(array) {
        if (array && random(3) == 0) {
                picked = "a[g" (index_of = random(4)) " & 3]"; picked_site = "a[]"; picked_cell = "a *"
                return
        }
        index_of = -1
        which = random(7)
        if (which < 4) { picked = "g" which; picked_site = picked; picked_cell = picked }
        else if (which == 4) { picked = "s.first"; picked_site = "s"; picked_cell = "s 0" }
        else if (which == 5) { picked = "s.second"; picked_site = "s+4"; picked_cell = "s 4" }
        else { k = random(4); picked = "a[" k "]"; picked_site = k ? "a+" 4 * k : "a"; picked_cell = "a " k }
}
function under(site) { if (depth) edge(branch[depth], site, "control") }
function note_read(site, cell) { under(site); reads[++n_reads] = site; read_cell[n_reads] = cell }
function note_write(site, cell) { under(site); writes[++n_writes] = site; write_cell[n_writes] = cell }

# Reads into an expression; the sites are in r[1..n].
function expression(count,   i) {
        text = ""; n = 0
        for (i = 0; i < count; i++) {
                pick(0)
                text = text (i ? " + " : "") picked
                r[++n] = line + 1 " read " picked_site
                note_read(r[n], picked_cell)
        }
        if (!count) text = random(100)
}
function assign(   i, to, target, site, cell, index_read) {
        expression(random(3))
        pick(1)
        target = picked; cell = picked_cell
        to = line + 1 " write " picked_site
        if (index_of >= 0) {
                index_read = line + 1 " read g" index_of
                note_read(index_read, "g" index_of)
                edge(index_read, to, "address")
        }
        note_write(to, cell)
        for (i = 1; i <= n; i++) edge(r[i], to, "data")
        put("        " target " = " text ";")
}
function call(   i, to, f) {
        f = random(2)
        expression(1)
        pick(0)
        to = line + 1 " write " picked_site
        site = line + 1 " call f" f
        under(site)
        note_write(to, picked_cell)
        edge(r[1], site, "argument")
        edge(r[1], function_line[f] " parameter", "parameter")
        edge(function_line[f] " return", site, "return")
        edge(site, function_line[f] " function f" f, "call")
        edge(site, to, "data")
        put("        " picked " = f" f "(" text ");")
}
function opens(word,   i, site) {
        expression(1)
        site = line + 1 " branch"
        edge(r[1], site, "data")
        under(site)
        if (word == "while") { edge(site, r[1], "control"); edge(site, site, "control") }
        branch[++depth] = site
        put("        " word " (" text ") {")
}
function body(size, level,   i, what) {
        for (i = 0; i < size; i++) {
                what = random(10)
                if (what < 5) assign()
                else if (what < 7) call()
                else if (level < 3) {
                        opens(what < 9 ? "if" : "while")
                        body(1 + random(3), level + 1)
                        put("        }")
                        depth--
                } else assign()
        }
}
BEGIN {
        state = seed * 7919 + 17
        for (i = 0; i < 3; i++) random(2)
        put("volatile int g0, g1, g2, g3, a[4];")
        put("struct { volatile int first, second; } s;")
        for (i = 0; i < 2; i++) {
                function_line[i] = line + 1
                edge(line + 1 " read g" i, line + 1 " return", "data")
                edge(line + 1 " parameter", line + 1 " return", "data")
                reads[++n_reads] = line + 1 " read g" i; read_cell[n_reads] = "g" i
                put("static __attribute__((noinline)) int f" i "(int p) { return p ^ g" i "; }")
        }
        put("int main(void)")
        put("{")
        body(12, 0)
        # Both functions are used twice, so that both exist, with their parameters and results.
        for (k = 0; k < 4; k++) {
                i = k % 2
                edge(function_line[i] " return", line + 1 " call f" i, "return")
                edge(line + 1 " call f" i, function_line[i] " function f" i, "call")
                edge(line + 1 " call f" i, line + 1 " write g" i, "data")
                note_write(line + 1 " write g" i, "g" i)
                put("        g" i " = f" i "(" k ");")
        }
        put("        return 0;")
        put("}")
        for (i = 1; i <= n_writes; i++)
                for (k = 1; k <= n_reads; k++)
                        if (overlap(write_cell[i], read_cell[k])) edge(writes[i], reads[k], "memory")
}
function overlap(x, y) { return x == y || (x == "a *" && y ~ /^a /) || (y == "a *" && x ~ /^a /) }
