local x = nil; x()
--%%--
local x = nil; x.y.z = 1
--%%--
local t = {} t.a.b = 1
--%%--
local t = {} return t.a.b.c
--%%--
local t = {} return t[1][2]
--%%--
local t = {} return t[t].x
--%%--
local t = {} t:nomethod()
--%%--
local s = 'x' return s.y.z
--%%--
local s = 'x' s:nomethod()
--%%--
local t = {} t[nil] = 1
--%%--
local t = {} t[0/0] = 1
--%%--
local t = {[nil] = 1}
--%%--
undefinedglobal()
--%%--
undefinedglobal.field = 1
--%%--
return undefinedglobal.field.deep
--%%--
local up function f() return up.x end return f()
--%%--
local up local function f() up() end f()
--%%--
return 1 + nil
--%%--
return {} + 1
--%%--
return 'a' + 1
--%%--
return 1 .. {}
--%%--
local t = {} return 'a' .. t .. 'b'
--%%--
local t = {} return t .. 'b'
--%%--
local t = {} return 'x' .. t.field
--%%--
return #nil
--%%--
local n = 5 return #n
--%%--
return -{}
--%%--
local x = 'abc' return -x
--%%--
return {} < {}
--%%--
return {} < 1
--%%--
return 1 < '2'
--%%--
return nil > 1
--%%--
return {} <= 'x'
--%%--
return print < print
--%%--
for i = 'a', 2 do end
--%%--
for i = 1, {} do end
--%%--
for i = 1, 2, nil do end
--%%--
for k in 5 do end
--%%--
for k in nil do end
--%%--
for k, v in next, nil do end
--%%--
local a = {b = {}} a.b.c()
--%%--
local a = {b = {}} a.b:c()
--%%--
local t = {} t['key with space']()
--%%--
local t, k = {}, 'dyn' t[k]()
--%%--
(nil)()
--%%--
('x')()
--%%--
local a
a = nil
  + 1
--%%--
local t = nil

return t.x
--%%--
local function f()
  local y = nil
  return y.z
end
return f()
--%%--
return math.floor('x')
--%%--
return math.floor()
--%%--
local f = math.floor return f({})
--%%--
return string.rep()
--%%--
return ('x'):rep()
--%%--
return ('x'):rep({})
--%%--
return string.rep('x', 'y')
--%%--
local t = {f = string.rep} return t.f(nil)
--%%--
return tostring()
--%%--
return tonumber()
--%%--
return tonumber('1', 99)
--%%--
return tonumber({}, 5)
--%%--
return setmetatable(1, {})
--%%--
return setmetatable({}, 5)
--%%--
return setmetatable({})
--%%--
return getmetatable()
--%%--
return rawget(1, 2)
--%%--
return rawset({}, 1)
--%%--
return ipairs()
--%%--
return pairs(nil)
--%%--
return next(1)
--%%--
return unpack()
--%%--
return unpack(1)
--%%--
return select()
--%%--
return select('x')
--%%--
return type()
--%%--
return assert(false)
--%%--
return assert(nil, 'msg')
--%%--
return assert(false, {})
--%%--
return assert()
--%%--
return error('text')
--%%--
return error('text', 0)
--%%--
error({code = 5})
--%%--
return table.concat({1, {}, 3})
--%%--
return table.concat({1, 2}, 1, 1, 5)
--%%--
return table.concat(1)
--%%--
return table.insert({})
--%%--
return table.insert({}, 1, 2, 3)
--%%--
return table.insert(nil, 1)
--%%--
return table.sort({3, 'x', 1})
--%%--
return table.sort({1, 2}, 5)
--%%--
return table.setn({}, 1)
--%%--
return string.char(256)
--%%--
return string.char(-1)
--%%--
return string.format('%d', 'x')
--%%--
return string.format('%d')
--%%--
return string.format('%y', 1)
--%%--
return string.format('%')
--%%--
return string.format('%123d', 1)
--%%--
return string.format('%.123f', 1)
--%%--
return string.format('%-+ #0-d', 1)
--%%--
return string.format()
--%%--
return string.format('%s', nil)
--%%--
return string.format('%q', {})
--%%--
return ('x'):bad()
--%%--
return string.gsub('x', 'x')
--%%--
return string.gsub('x', 'x', true)
--%%--
return string.gsub('x', 'x', function() return {} end)
--%%--
return string.gsub('x', '(', 'y')
--%%--
return string.gsub('x', ')', 'y')
--%%--
return string.gsub('x', '[a', 'y')
--%%--
return string.gsub('x', '%', 'y')
--%%--
return string.gsub('x', 'x', '%2')
--%%--
return string.find('x', '%f')
--%%--
return string.find('x', '%b')
--%%--
return string.find('x', '%1')
--%%--
return string.find('x', '(()')
--%%--
return string.find('abc', '((((((((((((((((((((((((((((((((()))))))))))))))))))))))))))))))))')
--%%--
return string.gmatch('x')
--%%--
local t = setmetatable({}, {__index = function(t, k) error('no ' .. k) end}) return t.foo
--%%--
local t = setmetatable({}, {__index = function(t, k) error('no ' .. k, 2) end})
return t.foo
--%%--
local t = setmetatable({}, {__newindex = function(t, k) error('ro ' .. k, 2) end}) t.foo = 1
--%%--
local t = setmetatable({}, {__add = function() error('add') end}) return t + 1
--%%--
local t = setmetatable({}, {__call = 5}) t()
--%%--
local a, b = setmetatable({}, {__lt = function() return 1 end}), {} return a < b
--%%--
table.foreach({1}, function() error('in foreach') end)
--%%--
local s = string.gsub('abc', '%w', function(c) error('cb ' .. c) end)
--%%--
return loadstring('return 1 +')()
--%%--
x y
--%%--
x = 
--%%--
x = 1 1
--%%--
local 5
--%%--
local function
--%%--
function x(
--%%--
function x() 
--%%--
if x
--%%--
if x then
--%%--
if x then else
--%%--
while x do


--%%--
for
--%%--
for i
--%%--
for i = 1
--%%--
for i = 1 do
--%%--
for i, j
--%%--
repeat x()
--%%--
return return
--%%--
break
--%%--
do break end
--%%--
f(
--%%--
f(1,
--%%--
f
(1)
--%%--
x = {1, 2
--%%--
x = {1 2}
--%%--
x = {[1]}
--%%--
x = "abc
--%%--
x = 'abc\
--%%--
x = [[abc
--%%--
x = [==[abc]]
--%%--
x = [=abc
--%%--
--[[ never closed
--%%--
x = '\300'
--%%--
x = 0x
--%%--
x = 1..2
--%%--
x = 1e
--%%--
x = 3x
--%%--
x = @
--%%--
x = a.
--%%--
x = a:b
--%%--
a.b
--%%--
a.b:c
--%%--
(a)
--%%--
(a) = 1
--%%--
a() = 1
--%%--
a, b() = 1
--%%--
a, b
--%%--
local a.b = 1
--%%--
local function a.b() end
--%%--
x = function(a, a.b) end
--%%--
x = function(..., a) end
--%%--
function f() return ... end
--%%--
x = ...
--%%--
x = }
--%%--
end
--%%--
else
--%%--
until x
--%%--
return 1;;
--%%--
;
--%%--
x = 1;; y = 2
--%%--
x = #
--%%--
x = not
--%%--
x = a and
--%%--
x = (1
--%%--
x = (
1
--%%--
x = ~1
--%%--
x = 1 // 2
--%%--
x = a[
--%%--
x = a[1
--%%--
local function f() break end
--%%--
while true do local function f() break end end
