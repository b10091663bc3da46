local t = {} for i = 1, 10 do t[i] = i * i end return #t, t[10], unpack(t, 3, 5)
--%%--
local a, b, c = (function() return 1, 2, 3 end)() return a, b, c
--%%--
local a, b, c = (function() return 1, 2, 3 end)(), 10 return a, b, c
--%%--
return (function(...) return select('#', ...), ... end)(nil, nil)
--%%--
local x = 1 do local x = 2 end return x
--%%--
local i = 1 local t = {} i, t[i] = i + 1, 20 return i, t[1], t[2]
--%%--
local t = {1, 2, 3, nil, 5} return #t
--%%--
local t = {1, 2, 3, nil, 5} t[5] = nil return #t
--%%--
local t = {1, nil, 3} return #t
--%%--
local t = {nil, nil, 3} return #t
--%%--
local t = {1, 2, 3} t[2] = nil return #t
--%%--
local t = {1, 2, 3, 4} t[2] = nil t[4] = nil return #t
--%%--
local t = {n = 1, 'a', 'b', [10] = 'z', 'c', [2] = 'no'} return t[1], t[2], t[3], t[10], t.n, #t
--%%--
local t = {(function() return 1, 2, 3 end)(), (function() return 1, 2, 3 end)()} return #t, unpack(t)
--%%--
local t = {[3] = 'x', 'a', 'b'} return #t, t[3]
--%%--
local t = {} t[1.0] = 'a' t[2^53] = 'b' t['1'] = 'c' return t[1], t[9007199254740992], t['1']
--%%--
local t = {} for i = 10, 1, -1 do t[i] = i end return #t, table.concat(t, ',')
--%%--
local s = 0 for i = 1, 10 do if i % 2 == 0 then s = s + i elseif i == 7 then break else s = s - 1 end end return s
--%%--
local n = 0 for i = 1, 0 do n = n + 1 end for i = 1, 3, 0.5 do n = n + 1 end for i = 3, 1 do n = 100 end return n
--%%--
local r = {} for i = 1, 3 do r[i] = function() i = i + 1 return i end end return r[1](), r[1](), r[2](), r[3]()
--%%--
local r = {} local k = 0 while k < 3 do local j = k r[#r + 1] = function() j = j + 10 return j end k = k + 1 end return r[1](), r[1](), r[2]()
--%%--
local r = {} local k = 0 repeat local j = k r[#r + 1] = function() return j end k = k + 1 until j >= 2 return #r, r[1](), r[3]()
--%%--
local function fact(n) if n <= 1 then return 1 end return n * fact(n - 1) end return fact(20)
--%%--
local function loop(n, acc) if n == 0 then return acc end return loop(n - 1, acc + n) end return loop(50000, 0)
--%%--
local o = {v = 0} function o:add(n) self.v = self.v + n return self end return o:add(1):add(2):add(3).v
--%%--
local a = {b = {c = {}}} function a.b.c.f(x) return x * 2 end function a.b.c:g(x) return self == a.b.c, x end return a.b.c.f(4), a.b.c:g(5)
--%%--
local function f(...) local a, b = ... local t = {...} return a, b, #t, select(2, ...) end return f(1, 2, 3)
--%%--
local function f(a, ...) return arg.n, arg[1], arg[2] end return f(1, 2, 3)
--%%--
local function f(a, ...) local x = ... return arg end return f(1, 2, 3)
--%%--
local function f(...) return (...) end return f(5, 6)
--%%--
return 1 and 2, nil and 1, false or 3, nil or false, 1 or error('no'), not nil, not 0
--%%--
return 1 < 2, 2 <= 2, 'a' < 'b', 'a' <= 'a', 'Z' < 'a', '' < 'a', 'a\0b' < 'a\0c', 2 > 1, 2 >= 3, 1 ~= 1, 'x' == 'x', 1 == '1'
--%%--
return 2^10, 7 % 3, -7 % 3, 7 % -3, -7 % -3, 5.5 % 2, 1 / 3, -2^2, 2^-1, 2^3^2, 10 - 5 - 2, 2 * 3 + 4 * 5
--%%--
return 5 % 0, -5 % 0, 0 / 0, 1 / 0, -1 / 0, 5 % (1 / 0), -5 % (1 / 0)
--%%--
return '10' + 5, '0x10' * 2, ' 3 ' - 1, '1e2' / 4, -'2', '2' ^ '3', '7' % 4, 10 .. 20
--%%--
return #'abc', #'', #'a\0b', -(-3), not not nil
--%%--
return 'a' .. 'b' .. 1 .. 2.5 .. 'c' .. -1
--%%--
return 0x10, 0xff, 1e3, 1.5e-3, .5, 3., 0xA, 1E+2, 08
--%%--
return 'a\tb\\n\065\10x\'"', "q\"'", [[long
string]], [==[with ]] and ]=] inside]==], '\
newline'
--%%--
-- comment
--[[ long
comment ]] return 1 --[==[ another ]==] + 2
--%%--
return (function() local a <const> = 1 end)
--%%--
goto x
--%%--
local t = {f = function(s) return s end} return t.f'str', t.f[[long]], #t.f{1, 2}, t:f() == t
--%%--
local f = function() return 1, 2 end local t = {f(), f()} return #t, (f()), f()
--%%--
local s = '' for k, v in ipairs{'a', 'b', nil, 'd'} do s = s .. k .. v end return s
--%%--
local n = 0 for k, v in pairs{1, 2, 3, x = 4, y = 5} do n = n + v end return n
--%%--
local t = {1, 2, 3, a = 1, b = 2} for k in pairs(t) do t[k] = nil end return next(t)
--%%--
local function iter(s, c) if c < s then return c + 1, c * 2 end end local r = {} for a, b in iter, 3, 0 do r[#r + 1] = a + b end return unpack(r)
--%%--
local t = {} for k, v, w in (function() local n = 0 return function() n = n + 1 if n < 3 then return n, n * 2 end end end)() do t[#t + 1] = v t[#t + 1] = w == nil end return unpack(t)
--%%--
local a = {} local b = a a.x = 1 return b.x, a == b, {} == {}
--%%--
local up = 1 local function inc() up = up + 1 return up end inc() inc() return up, inc()
--%%--
local function outer() local x = 0 local function mid() local function inner() x = x + 1 return x end return inner end return mid(), function() return x end end local i, g = outer() i() i() return g()
--%%--
local t = setmetatable({}, {__index = function(t, k) return k .. '!' end}) return t.foo, t[1], rawget(t, 'foo')
--%%--
local t = setmetatable({}, {__index = setmetatable({a = 1}, {__index = {b = 2}})}) return t.a, t.b, t.c
--%%--
local log = {} local t = setmetatable({}, {__newindex = function(t, k, v) rawset(t, k, v * 2) end}) t.a = 1 t.a = 5 t.b = 2 return t.a, t.b
--%%--
local store = {} local t = setmetatable({}, {__newindex = store}) t.x = 1 return rawget(t, 'x'), store.x
--%%--
local mt = {} for _, e in ipairs{'add', 'sub', 'mul', 'div', 'mod', 'pow', 'concat'} do mt['__' .. e] = function(a, b) return e .. (type(a) == 'table' and 'T' or tostring(a)) .. (type(b) == 'table' and 'T' or tostring(b)) end end mt.__unm = function(a, b) return 'unm', a == b end local t = setmetatable({}, mt) return t + 1, 1 - t, t * t, t / 'x', 2 % t, t ^ 2, t .. 'a', 'a' .. t, 1 .. t, -t, 'x' .. 'y' .. t .. 'z'
--%%--
local mt = {__eq = function(a, b) return a.v == b.v end, __lt = function(a, b) return a.v < b.v end} local function n(v) return setmetatable({v = v}, mt) end return n(1) == n(1), n(1) ~= n(2), n(1) < n(2), n(1) > n(2), n(1) <= n(2), n(2) >= n(3)
--%%--
local mt = {__le = function(a, b) return a.v <= b.v end} local function n(v) return setmetatable({v = v}, mt) end return n(1) <= n(2), n(3) >= n(4), pcall(function() return n(1) < n(2) end)
--%%--
local t = setmetatable({}, {__call = function(self, ...) return select('#', ...), ... end}) return t(1, nil, 3)
--%%--
local t = setmetatable({}, {__tostring = function() return 'TS' end, __metatable = 'locked'}) return tostring(t), getmetatable(t), pcall(setmetatable, t, {})
--%%--
local t = setmetatable({}, {__len = function() return 42 end}) return #t
--%%--
local mt = {__eq = function() return true end} return setmetatable({}, mt) == setmetatable({}, mt), setmetatable({}, mt) == setmetatable({}, {__eq = function() return true end})
--%%--
return rawequal('a', 'a'), rawequal({}, {}), rawget({5}, 1), rawset({}, 1, 2)[1]
--%%--
return select('#'), select('#', nil), select(2, 'a', 'b', 'c'), select(-1, 'a', 'b')
--%%--
return pcall(select, 0), pcall(select, -5, 1)
--%%--
return type(nil), type(1), type('x'), type({}), type(print), type(true)
--%%--
return next({}), next({10}), next({a = 1}), pcall(next, {}, 'nokey')
--%%--
return tostring(nil), tostring(true), tostring(12), tostring('x'), tostring(1e15), tostring(-0.1)
--%%--
return tonumber('10'), tonumber(' 0x1F '), tonumber('1e1'), tonumber('1e'), tonumber(''), tonumber('x'), tonumber(nil), tonumber({}), tonumber('10', 2), tonumber('zZ', 36), tonumber('8', 8), tonumber('-ff', 16), tonumber('0x1f', 16), tonumber(' 11 ', 2), tonumber('1.5', 10), tonumber('1 1'), tonumber('infinity'), tonumber('0x'), tonumber('0x.8p1'), tonumber('.5'), tonumber('5.'), tonumber('.'), tonumber('+5'), tonumber('--5'), tonumber('1\0junk')
--%%--
return unpack({1, 2, 3}), unpack({1, 2, 3}, 2), unpack({1, 2}, 1, 4), unpack({}, 1, 0), unpack({1, 2, 3}, -1, 1)
--%%--
return pcall(unpack, {}, 1, 1e7)
--%%--
return loadstring('return ...')(1, 2), loadstring('syntax error here'), loadstring('return 1', 'name')()
--%%--
return loadstring('x = = 1', '@file.lua'), loadstring('x = = 1', '=name'), loadstring('\n\n x = = 1')
--%%--
local parts = {'return ', '1 ', '+ 2', nil} local i = 0 return load(function() i = i + 1 return parts[i] end)()
--%%--
return pcall(load, 5), load(function() return {} end), load(function() error('r') end)
--%%--
local f = assert(loadstring('local a = ... return a')) return f(7), assert(1, 2, 3)
--%%--
local ok, e = pcall(error, setmetatable({}, {__tostring = function() return 'obj' end})) return ok, tostring(e)
--%%--
return pcall(error), pcall(error, nil), pcall(error, 'm', 0), pcall(error, 'm', 1), pcall(error, 'm', 2), pcall(error, 5), pcall(error, true)
--%%--
local function f() error('deep', 2) end
local function g()
  f()
end
return pcall(g)
--%%--
local function f() error('lvl1') end return pcall(f), pcall(function() error('x', 0) end), pcall(function() error() end)
--%%--
return xpcall(function() error('x') end, function(m) return 'H ' .. m end), xpcall(function() return 1, 2 end, print)
--%%--
return xpcall(function() error('x') end, function(m) error('y') end)
--%%--
return xpcall(function() local x = nil + 1 end, function(m) return m end)
--%%--
local function f(n) return n == 0 and 0 or 1 + f(n - 1) end return f(100)
--%%--
local ok, m = pcall(function() local function f() return 1 + f() end return f() end) return ok, m
--%%--
local t = {} t.self = t return t.self.self.self == t
--%%--
do local a = 1; local b = 2; return a + b end
--%%--
local function f() return end local function g() return nil end return select('#', f()), select('#', g()), (f())
--%%--
local a = 1 local function f() return a end a = 2 return f()
--%%--
local t = {1, 2, 3} local n = 0 for i, v in ipairs(t) do n = n + v t[#t + 1] = #t < 6 and i or nil end return n, #t
--%%--
return (('x'):rep(3)), ('%d'):format(3), #('abc'), ('abc'):upper():lower()
--%%--
local x = 5 local x = x + 1 local function x2() return x end return x2()
--%%--
return math.floor(3.7), math.ceil(3.2), math.abs(-4), math.max(1, 9, 3), math.min(4, 2, 8), math.sqrt(16), math.pow(2, 8), math.fmod(-7, 3), math.mod(7, 3), math.modf(-3.25), math.frexp(10), math.ldexp(3, 4), math.huge, math.pi
--%%--
return math.floor('7.9'), math.max('3', 10), math.fmod(5, 0), math.sqrt(-1), math.modf(1 / 0), math.frexp(0), math.deg(math.pi), math.rad(180), math.log10(1000)
--%%--
return 1e308 * 10, -1e308 * 10, 2^1023 * 2, 5e-324, 2^53 + 1, 9007199254740993, 123456789012345678
--%%--
return tostring(2^53), tostring(1e14), tostring(1e15), tostring(123456789012345), tostring(0.1), tostring(1 / 3), tostring(100), tostring(1e100), tostring(-1e-10), tostring(12345678901234.5), tostring(99999999999999.9), tostring(0.00001), tostring(0.0001)
--%%--
local function f() return 1, 2 end return (nil or f()), nil or f()
--%%--
local function f() return 1, 2 end return true and f()
--%%--
local function f() return 1, 2 end local t = {nil or f(), 'x' and f()} return #t
--%%--
local t = {} for i = 1, 100 do t['k' .. i] = i end local s = 0 for k, v in pairs(t) do s = s + v end for i = 1, 100, 2 do t['k' .. i] = nil end local n = 0 for k in pairs(t) do n = n + 1 end return s, n, t.k2, t.k3
--%%--
local t = {} for i = 1, 50 do t[i * 1.5] = i t[tostring(i)] = -i end return t[1.5], t[3], t[75], t['50'], #t
--%%--
local t = {} t[3] = 'c' t[2] = 'b' t[1] = 'a' t[4] = 'd' return #t, table.concat(t)
--%%--
local k1, k2 = {}, function() end local t = {[k1] = 1, [k2] = 2, [true] = 3, [false] = 4, [1.5] = 5} return t[k1], t[k2], t[true], t[false], t[1.5], t[{}]
--%%--
local t = {} for i = 1, 10 do t[i] = i end for k in next, t do t[k] = nil end return next(t), #t
--%%--
local s = 0 for i = 1, 3 do for j = 1, 3 do if j == 2 then break end s = s + i * j end end return s
--%%--
local function f(n) if n > 0 then return f(n - 1) end return 'x', 'y' end return f(10), (f(3))
--%%--
local o = setmetatable({n = 3}, {__index = {dec = function(self) if self.n == 0 then return 'zero' end self.n = self.n - 1 return self:dec() end}}) return o:dec()
--%%--
local a = 'x' local b = a .. 1 .. 2 return b == 'x12', #b, b < 'x2'
--%%--
return ('x'):rep(3):len(), #('x'):rep(3), -2 ^ 2, not 1 == 2, 1 .. 2 == '12', 2 * 3 ^ 2 % 5
