-- JSON as the providers read it. cjson takes raw control characters inside strings and bytes that are no UTF-8;
-- the strict scan before it refuses both (knob strict-json).
local cjson = require("cjson.safe")
local ffi = require("ffi")
local knobs = require("knobs")

local M = { null = cjson.null }

-- The length of the UTF-8 sequence at `at`, or nil (RFC 3629: no overlong form, no surrogate, nothing above U+10FFFF).
local function sequence(bytes, at, count)
  local first = bytes[at]
  local low, high, length = 0x80, 0xBF, nil
  if first >= 0xC2 and first <= 0xDF then
    length = 2
  elseif first >= 0xE0 and first <= 0xEF then
    length = 3
    if first == 0xE0 then
      low = 0xA0
    elseif first == 0xED then
      high = 0x9F
    end
  elseif first >= 0xF0 and first <= 0xF4 then
    length = 4
    if first == 0xF0 then
      low = 0x90
    elseif first == 0xF4 then
      high = 0x8F
    end
  else
    return nil
  end
  if at + length > count or bytes[at + 1] < low or bytes[at + 1] > high then
    return nil
  end
  for next = at + 2, at + length - 1 do
    if bytes[next] < 0x80 or bytes[next] > 0xBF then
      return nil
    end
  end
  return length
end

-- Gives true, or nil and the fault with its place. One pass, so that it also suits a body of many megabytes.
function M.scan(text)
  local bytes, count = ffi.cast("const uint8_t *", text), #text
  local at, inside = 0, false
  while at < count do
    local byte = bytes[at]
    if byte >= 0x80 then
      local length = sequence(bytes, at, count)
      if not length then
        return nil, "invalid UTF-8 at byte " .. at
      end
      at = at + length
    else
      if byte < 0x20 and (inside or (byte ~= 9 and byte ~= 10 and byte ~= 13)) then
        return nil, "control character at byte " .. at
      elseif byte == 0x22 then
        inside = not inside
      elseif byte == 0x5C and inside then
        at = at + 1
      end
      at = at + 1
    end
  end
  return true
end

-- The object in `text`, or nil and the fault.
function M.object(text)
  if knobs.get("strict-json") == "on" then
    local clean, fault = M.scan(text)
    if not clean then
      return nil, fault
    end
  end
  local value, fault = cjson.decode(text)
  if type(value) ~= "table" then
    return nil, fault or "not an object"
  end
  return value
end

-- The member `name` of `value`, nil when `value` is no object or holds null there.
function M.member(value, name)
  if type(value) ~= "table" then
    return nil
  end
  local found = value[name]
  if found == cjson.null then
    return nil
  end
  return found
end

-- cjson writes `/` as `\/`; only Huawei does that on the wire.
function M.encode(value)
  return (cjson.encode(value):gsub("\\/", "/"))
end

M.encodeEscaped = cjson.encode

return M
