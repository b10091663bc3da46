-- Runs programs one by one and reports each outcome in one line. The same text runs in both engines:
-- PROGRAMS is the source of all, emit(line) takes a line.
local function show(v, depth)
  local t = type(v)
  if t == 'number' then return string.format('%.17g', v) end
  if t == 'string' then return string.format('%q', v):gsub('\n', 'n'):gsub('%z', '\\000'):gsub('0x%x%x%x%x%x%x+', 'ADDRESS') .. '' end
  if t ~= 'table' then return t == 'function' and 'function' or tostring(v) end
  if depth > 3 then return '{...}' end
  local keys = {}
  for k in next, v do keys[#keys + 1] = k end
  table.sort(keys, function(a, b)
    if type(a) == type(b) and (type(a) == 'number' or type(a) == 'string') then return a < b end
    return type(a) < type(b)
  end)
  local out = {}
  for i, k in ipairs(keys) do out[i] = '[' .. show(k, depth + 1) .. ']=' .. show(rawget(v, k), depth + 1) end
  return '{' .. table.concat(out, ',') .. '}'
end

local function outcome(ok, ...)
  local out = {}
  for i = 1, select('#', ...) do out[i] = show((select(i, ...)), 0) end
  return (ok and 'ok ' or 'error ') .. table.concat(out, ' ')
end

local from = 1
while from do
  local a, b = PROGRAMS:find('\n--%%--\n', from, true)
  local source = PROGRAMS:sub(from, a and a - 1 or -1)
  local f, message = loadstring(source, '@user_script')
  emit(f and outcome(pcall(f)) or 'syntax ' .. message)
  from = b and b + 1
end
