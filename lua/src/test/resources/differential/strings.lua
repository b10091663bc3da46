return ('hello world'):find('o w'), ('hello'):find('l'), ('hello'):find('l', 4), ('hello'):find('xyz'), ('hello'):find(''), ('hello'):find('', 10), ('hello'):find('l', -2), ('a.b'):find('.', 2, true), ('a+b'):find('+', 1, true)
--%%--
return ('hello'):match('(h)(e)(l+)'), ('key = value'):match('^(%w+)%s*=%s*(%w+)$'), ('2024-01-02'):match('(%d+)-(%d+)-(%d+)'), ('abc'):match('()b()'), ('x'):match('y')
--%%--
return ('hello'):gsub('l', 'L'), ('hello'):gsub('l', 'L', 1), ('hello'):gsub('', '-'), ('abc'):gsub('%w', '%0%0'), ('hello world'):gsub('(%w+) (%w+)', '%2 %1'), ('abc'):gsub('b', {b = 'B'}), ('abc'):gsub('%w', {a = 1, b = true, c = false}), ('abc'):gsub('.', function(c) if c == 'b' then return 'X' end end)
--%%--
return ('abc'):gsub('b', '%%'), ('abc'):gsub('^a', 'x'), ('aaa'):gsub('^a', 'x'), ('abc'):gsub('c$', 'x'), ('a$b'):gsub('$', 'x'), ('abc'):gsub('(a)(b)(c)', '%3%2%1%0'), ('x'):gsub('x', '%'), ('x'):gsub('x', 'a%zb')
--%%--
local r = {} for w in ('one two  three'):gmatch('%a+') do r[#r + 1] = w end return unpack(r)
--%%--
local r = {} for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do r[#r + 1] = k .. v end return unpack(r)
--%%--
local r = '' for a in ('abc'):gmatch('') do r = r .. '|' end return r
--%%--
local r = '' for a in ('aXbX'):gmatch('^a') do r = r .. a end return r
--%%--
return ('THE (quick) fox'):find('%((%a+)%)'), ('[[x]]'):match('%[%[(.-)%]%]'), ('a.b.c'):gsub('%.', '/'), ('f(a(b)c)d'):match('%b()'), ('THE END'):gsub('%f[%a]%a+', '<%0>'), ('aa'):match('(a)%1'), ('ab'):match('(a)%1')
--%%--
return ('abc123'):match('%a+'), ('abc123'):match('%d+'), ('  x '):match('^%s*(.-)%s*$'), ('a-b'):match('[a-]+'), ('a]b'):match('[]]'), ('a^b'):match('[%^]'), ('x^'):match('[x^]+'), ('abc'):match('[^b]+'), ('a\0b'):match('%z'), ('\1\2'):match('%c+'), ('a!?'):match('%p+'), ('aBc'):match('%u'), ('aBc'):match('%L'), ('0xFg'):match('%x+')
--%%--
return ('aaa'):match('a-'), ('aaab'):match('a-b'), ('aaa'):match('a?a?a?a?'), ('ab'):match('a?b?c?'), ('aaab'):match('a*b'), ('b'):match('a*b'), ('b'):match('a+b'), ('<<a>><<b>>'):match('<<(.-)>>'), ('<<a>><<b>>'):match('<<(.*)>>')
--%%--
return ('%d'):format(3.7), ('%d'):format(-3.7), ('%5d|%-5d|%05d|%+d|% d'):format(42, 42, 42, 42, 42), ('%i'):format('12'), ('%.3d'):format(5), ('%8.3d'):format(5), ('%-8.3d|'):format(5), ('%d'):format(2^53), ('%d'):format(-2^63), ('%d'):format(1e300)
--%%--
return ('%u'):format(42), ('%u'):format(-1), ('%x %X %#x %o %#o'):format(255, 255, 255, 8, 8), ('%x'):format(-1), ('%08x'):format(48879), ('%#08x|%-#8x|'):format(255, 255), ('%x'):format(0), ('%#x'):format(0), ('%.0d'):format(0)
--%%--
return ('%c%c%c'):format(72, 105, 33), ('%5c|%-5c|'):format(65, 66), ('%c'):format(0), ('%c'):format(321)
--%%--
return ('%f %.2f %.0f %10.3f|%-10.1f|%+.1f %010.2f'):format(1.5, 2.345, 2.5, 3.14159, 2.25, 1.25, -3.14159), ('%.0f %.0f %.0f'):format(0.5, 1.5, 2.5), ('%#.0f'):format(3), ('%.20f'):format(0.1), ('%f'):format(1e20), ('%.3f'):format(1e-10), ('%.10f'):format(1 / 3)
--%%--
return ('%e %.2e %.0e %#.0e %E %+.3e'):format(12345.678, 0.000123, 5, 5, 1e-100, 1e100), ('%e'):format(0), ('%12.3e|%-12.3e|'):format(1234.5, 1234.5)
--%%--
return ('%g %g %g %g %g %g %g'):format(1, 0.1, 1e20, 1e-5, 100000, 1000000, 123456789), ('%.3g %.10g %.17g %#g %G %.0g'):format(1234.5, 1 / 3, 0.1, 1.5, 1e-20, 15), ('%g'):format(0), ('%#.3g'):format(1), ('%10g|%-10g|%+g'):format(1.5, 1.5, 1.5), ('%.14g'):format(123456789012345.6)
--%%--
return ('%s %10s|%-10s|%.2s|%5.1s|'):format('a', 'b', 'c', 'defg', 'xyz'), ('%s'):format(12), ('%s'):format(1e15), ('%.3s'):format(12345), ('%s'):format('a\0b'), ('%s'):format(('x'):rep(120)), ('%120s'):sub(1, 3)
--%%--
return ('%q'):format('a"b\\c\nd\re\0f\200'), ('%%|%5%'):sub(1, 2), ('100%%'):format()
--%%--
return ('%5s|%-5s|%5.2f'):format(true and 'yes', 'no', 1), pcall(string.format, '%s', {}), pcall(string.format, '%s')
--%%--
return (' %g %g %g'):format(1 / 0, -1 / 0, 2^0.5), ('%d'):format('0x10'), ('%5.1f|'):format(1 / 0), ('%05d|%05f'):format(-3, 1 / 0)
--%%--
return ('abc'):sub(2), ('abc'):sub(-2), ('abc'):sub(2, 2), ('abc'):sub(0), ('abc'):sub(5), ('abc'):sub(-100, 100), ('abc'):sub(2, 1), ('abc'):sub(3, -1), ('abc'):sub(-1, -3), ('abc'):sub(1.9), ('abc'):sub('2')
--%%--
return ('abc'):byte(), ('abc'):byte(2), ('abc'):byte(-1), ('abc'):byte(10), ('abc'):byte(1, -1), ('abc'):byte(0), string.char(), string.char(72, 105), ('\255'):byte()
--%%--
return ('aBc1é'):upper(), ('AbC1'):lower(), ('abc'):reverse(), (''):reverse(), ('ab'):rep(3), ('ab'):rep(0), ('ab'):rep(-1), (''):rep(100), ('abc'):len(), ('x'):rep(2.9)
--%%--
return string.gfind == string.gmatch, type(string.gfind), pcall(string.dump, print)
--%%--
return table.concat({}), table.concat({1}), table.concat({1, 2, 3}, '-'), table.concat({1, 2, 3}, ', ', 2), table.concat({1, 2, 3}, ', ', 2, 3), table.concat({1, 2, 3}, ', ', 3, 2), table.concat({'a', 1.5}, 0)
--%%--
local t = {1, 2, 3} table.insert(t, 4) table.insert(t, 1, 0) table.insert(t, 3, 'x') return #t, table.concat(t, ',')
--%%--
local t = {1, 2, 3, 4} return table.remove(t), table.remove(t, 1), table.remove(t, 5), table.concat(t, ','), #t, table.remove({}), table.remove({}, 1)
--%%--
local t = {} table.insert(t, 5, 'x') table.insert(t, 1, 'a') return t[1], t[2], t[5], t[6], #t
--%%--
local t = {'a', 'b'} table.insert(t, 5, 'x') return t[3], t[5], #t
--%%--
local t = {5, 2, 8, 1, 9, 3} table.sort(t) local u = {5, 2, 8, 1, 9, 3} table.sort(u, function(a, b) return a > b end) return table.concat(t, ','), table.concat(u, ',')
--%%--
local t = {'banana', 'apple', 'Cherry', '10', '9'} table.sort(t) return table.concat(t, ',')
--%%--
local t = {} for i = 1, 30 do t[i] = {i % 4, i} end table.sort(t, function(a, b) return a[1] < b[1] end) local r = {} for i, v in ipairs(t) do r[i] = v[2] end return table.concat(r, ',')
--%%--
local t = {3, 1, 2} return pcall(table.sort, t, function() return true end)
--%%--
local t = {} for i = 1, 100 do t[i] = (i * 7919) % 101 end table.sort(t) local ok = true for i = 2, 100 do ok = ok and t[i - 1] <= t[i] end return ok, t[1], t[100]
--%%--
return table.maxn({1, 2, [10] = 1, [5.5] = 1}), table.maxn({}), table.getn({1, 2}), table.foreach({a = 1}, function(k, v) return k .. v end), table.foreachi({'x', 'y'}, function(i, v) if i == 2 then return v end end)
--%%--
local t = {} for i = 1, 20 do t[#t + 1] = i end for i = 1, 15 do table.remove(t, 1) end t[#t + 1] = 99 return #t, table.concat(t, ',')
--%%--
local t = {} for i = 1, 10 do t[i] = i end for i = 10, 6, -1 do t[i] = nil end t[#t + 1] = 'n' return #t, table.concat(t, ',')
