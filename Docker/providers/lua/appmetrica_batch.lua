-- Reads a push_batch_request. Its outer members are cut from the text, because a client_transfer_id above 2^53 would
-- lose digits as a number, and because cjson may need a minute for 100,000 alike strings (LuaJIT hashes long strings by
-- a few of their bytes). Only a body below SMALL is decoded as a whole; the ledger tool reads the others after the run.
local json = require("json")
local M = {}

local SMALL, EDGE = 1048576, 4096
local MOST_DEVICES = 250000
local idTypes = {
  appmetrica_device_id = true, ios_ifa = true, google_aid = true, android_push_token = true, ios_push_token = true,
  huawei_push_token = true, huawei_oaid = true,
}

local function fault(kind, message, location)
  return { kind = kind, message = message, location = location }
end

-- The text around the batch array: what stands before it, and what stands behind its last bracket.
local function outer(body)
  local head = body:sub(1, EDGE)
  local batch = head:find('"batch"', 1, true)
  if not batch then
    return nil
  end
  return head:sub(1, batch - 1) .. (body:sub(-EDGE):match(".*%]([^%]]*)$") or "")
end

local function checkContent(messages)
  local android, ios = json.member(messages, "android"), json.member(messages, "iOS")
  if type(android or ios) ~= "table" then
    return fault("missing_parameter", "messages must have android or iOS", "messages")
  end
  for name, platform in pairs({ android = android, iOS = ios }) do
    local content = json.member(platform, "content")
    local shown = json.member(platform, "silent") ~= true
    if shown and (type(json.member(content, "text")) ~= "string"
      or (name == "android" and type(json.member(content, "title")) ~= "string")) then
      return fault("missing_parameter", "title and text are required unless silent", "messages." .. name)
    end
    local data = json.member(content, "data")
    if data ~= nil and type(data) ~= "string" then
      return fault("invalid_parameter", "data must be a string", "messages." .. name .. ".content.data")
    end
  end
end

-- Gives the number of devices, whether an id type does not suit the platform, and a fault.
local function checkDevices(entry)
  local devices, count, misplaced = json.member(entry, "devices"), 0, false
  if type(devices) ~= "table" or #devices == 0 then
    return 0, false, fault("missing_parameter", "devices must not be empty", "devices")
  end
  for _, group in ipairs(devices) do
    local kind, values = json.member(group, "id_type"), json.member(group, "id_values")
    if not idTypes[kind] then
      return 0, false, fault("invalid_parameter", "unknown id_type", "devices.id_type")
    elseif type(values) ~= "table" or #values == 0 then
      return 0, false, fault("missing_parameter", "id_values must not be empty", "devices.id_values")
    end
    for _, value in ipairs(values) do
      if type(value) ~= "string" then
        return 0, false, fault("invalid_parameter", "id_values must be strings", "devices.id_values")
      end
    end
    count = count + #values
    misplaced = misplaced or (kind == "google_aid" and not json.member(entry.messages, "android"))
  end
  return count, misplaced, nil
end

-- Gives a fault, and the error that makes the transfer fail after it was accepted.
local function checkWhole(body)
  local decoded, why = json.object(body)
  local batch = json.member(json.member(decoded, "push_batch_request"), "batch")
  if not decoded then
    return fault("invalid_json", why)
  elseif type(batch) ~= "table" or #batch == 0 then
    return fault("missing_parameter", "batch must not be empty", "batch")
  end
  local sum, later = 0, nil
  for _, entry in ipairs(batch) do
    local refused = checkContent(json.member(entry, "messages"))
    local count, misplaced, wrong = checkDevices(entry)
    if refused or wrong then
      return refused or wrong
    end
    sum = sum + count
    later = misplaced and "google_aid needs messages.android" or later
  end
  if sum > MOST_DEVICES then
    return fault("invalid_parameter", "more than 250000 devices", "batch")
  end
  return nil, later
end

local function isWhole(body)
  local clean, why = json.scan(body)
  if not clean then
    return fault("invalid_json", why)
  elseif not body:match("^%s*{") or not body:sub(-EDGE):match("}%s*}%s*$") then
    return fault("invalid_json", "the body is cut short")
  end
end

-- Gives {group, client, tag, error}: `client` is the client_transfer_id in its digits or nil, `error` fails the
-- transfer later on. Or nil and {kind, message, location}.
function M.read(body)
  local text = outer(body)
  if not text then
    return nil, fault("invalid_json", "no push_batch_request with a batch")
  end
  local group = text:match('"group_id"%s*:%s*(%d+)%s*[,}]')
  local client = text:match('"client_transfer_id"%s*:%s*(%-?%d+)%s*[,}]')
  local tag = json.object("[" .. (text:match('"tag"%s*:%s*("[^\n]-[^\\]")%s*[,}]') or "") .. "]")
  if not group then
    return nil, fault("missing_parameter", "group_id is required", "group_id")
  elseif not tag or not tag[1] then
    return nil, fault("missing_parameter", "tag is required", "tag")
  elseif not client and text:find('"client_transfer_id"', 1, true) then
    return nil, fault("invalid_parameter", "client_transfer_id must be an integer", "client_transfer_id")
  end
  local refused, later
  if #body <= SMALL then
    refused, later = checkWhole(body)
  else
    refused = isWhole(body)
  end
  if refused then
    return nil, refused
  end
  return { group = group, client = client, tag = tag[1], error = later }
end

return M
