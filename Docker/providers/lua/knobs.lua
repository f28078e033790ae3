-- What `Jobs/stack.sh set DIR NAME VALUE` may turn while the stand-ins run, and what holds until it does.
local dict = ngx.shared.knobs
local M = {}

local function number(text)
  return text:match("^%d+$") and tonumber(text)
end

-- 0 for the usual answer.
local function status(value)
  return value:match("^[045]%d?%d?$") and (value == "0" or #value == 3) and tonumber(value)
end

local function text(value)
  return value
end

local function word(...)
  local allowed = {}
  for _, each in ipairs({ ... }) do
    allowed[each] = true
  end
  return function(value)
    return allowed[value] and value
  end
end

-- name -> { default, reader that gives nil or false for a value it refuses }
local known = {
  ["strict-json"] = { "on", word("on", "off") },
  ["keep-bodies"] = { 10, number },
  ["retry-after-form"] = { "seconds", word("seconds", "date") },
  ["fcm-token-life-s"] = { 3599, number },
  ["hms-token-life-s"] = { 3600, number },
  ["fcm-token-delay-ms"] = { 0, number },
  ["hms-token-delay-ms"] = { 0, number },
  ["fcm-token-answer"] = { "ok", word("ok", "invalid_grant", "500", "503") },
  ["hms-token-answer"] = { "ok", word("ok", "wrong_secret", "500", "503") },
  ["fcm-quota"] = { 0, number },
  ["fcm-quota-window-s"] = { 60, number },
  ["apns-clock-ahead-s"] = { 0, number },
  ["apns-updates"] = { "connection", word("connection", "key") },
  ["hms-codes-at-200"] = { "off", word("on", "off") },
  ["hms-all-bad"] = { "text", word("text", "json") },
  ["appmetrica-pending-ms"] = { 200, number },
  ["appmetrica-progress-ms"] = { 200, number },
  ["appmetrica-stuck"] = { "on", word("on", "off") },
  ["appmetrica-fail-tag"] = { "", text },
}
for _, provider in ipairs({ "fcm", "apns", "apns-sandbox", "hms", "appmetrica", "rustore" }) do
  known[provider .. "-delay-ms"] = { 0, number }
  known[provider .. "-answer"] = { 0, status }
  known[provider .. "-retry-after-s"] = { 0, number }
  known[provider .. "-bearer"] = { "accept", word("accept", "refuse") }
end

function M.get(name)
  local value = dict:get(name)
  if value == nil then
    return known[name] and known[name][1]
  end
  return value
end

-- Gives true, or nil and what is wrong. `bearers revoke` is no state: the access tokens issued so far are forgotten.
function M.set(name, value)
  if name == "bearers" and value == "revoke" then
    ngx.shared.issued:flush_all()
    return true
  end
  local knob = known[name]
  if not knob then
    local names = {}
    for each in pairs(known) do
      names[#names + 1] = each
    end
    table.sort(names)
    return nil, "no knob named " .. name .. "; there are " .. table.concat(names, " ")
  end
  local read = knob[2](value)
  if not read then
    return nil, name .. " does not take " .. value
  end
  dict:set(name, read)
  return true
end

return M
