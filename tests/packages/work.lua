-- A bit of everything, for the cost: tables, sorting, coroutines, errors, strings.
local t = {}
for i = 1, 300000 do t[i] = {i, tostring(i)} end
table.sort(t, function(a, b) return a[2] < b[2] end)
local s = 0
for i, v in ipairs(t) do s = s + v[1] * (i % 7) end
local co = coroutine.wrap(function() for i = 1, 200000 do coroutine.yield(i) end end)
for i = 1, 200000 do s = s + co() end
for i = 1, 20000 do local ok, e = pcall(error, "x" .. i); assert(not ok) end
local n = 0
for w in (("hello world "):rep(50000)):gmatch("%a+") do n = n + #w end
print(s, n, ("%s"):rep(3, "-"):format(1, 2, 3))
