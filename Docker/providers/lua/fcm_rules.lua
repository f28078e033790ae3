-- What FCM asks of a message whose form is right: one target, reserved names, ranges, sizes. These faults carry
-- FcmError INVALID_ARGUMENT beside BadRequest.
local json = require("json")
local M = {}

local MOST_PAYLOAD, MOST_TOPIC_PAYLOAD, LONGEST_TTL = 4096, 2048, 2419200

local function isReserved(name)
  return name == "from" or name == "message_type" or name:find("^google") or name:find("^gcm")
end

local function checkNames(data, path)
  for name in pairs(data or {}) do
    if isReserved(name) then
      return { field = path, description = "Invalid data payload key: " .. name }
    end
  end
end

local function bytes(map)
  local sum = 0
  for name, value in pairs(map or {}) do
    sum = sum + (type(value) == "string" and #name + #value or 0)
  end
  return sum
end

local function checkTarget(message)
  local targets = {}
  for _, name in ipairs({ "token", "topic", "condition", "fid" }) do
    if message[name] and message[name] ~= "" then
      targets[#targets + 1] = name
    end
  end
  if #targets == 0 then
    return { field = "message", description = "Recipient of the message is not set." }
  elseif #targets > 1 then
    return { field = "message." .. targets[2],
      description = ("Invalid value at 'message' (oneof), oneof field 'target' is already set. Cannot set '%s'")
        :format(targets[2]) }
  elseif message.topic and not message.topic:match("^[%w%-_.~%%]+$") then
    return { field = "message.topic", description = "Invalid topic name" }
  end
end

local function checkAndroid(message)
  local android = message.android
  local ttl = android.ttl and tonumber(android.ttl:sub(1, -2))
  if ttl and (ttl < 0 or ttl > LONGEST_TTL) then
    return { field = "message.android.ttl", description = "Invalid ttl: must be from 0 to 2419200 seconds" }
  end
  local color = json.member(android.notification, "color")
  if color and not color:match("^#%x%x%x%x%x%x$") then
    return { field = "message.android.notification.color", description = "Invalid color: must be #RRGGBB" }
  end
end

local function checkLabel(options, path)
  local label = json.member(options, "analytics_label")
  if label and (#label > 50 or not label:match("^[%w%-_.~%%]+$")) then
    return { field = path .. ".fcm_options.analytics_label", description = "Invalid analytics label" }
  end
end

-- Gives {field, description}, or nil for a message FCM takes.
function M.check(message)
  local android, apns = message.android or {}, message.apns or {}
  local fault = checkTarget(message)
    or checkNames(message.data, "message.data")
    or checkNames(android.data, "message.android.data")
    or checkAndroid({ android = android })
    or checkLabel(message.fcm_options, "message")
    or checkLabel(android.fcm_options, "message.android")
    or checkLabel(apns.fcm_options, "message.apns")
  if fault then
    return fault
  end
  local most = message.token and MOST_PAYLOAD or MOST_TOPIC_PAYLOAD
  if bytes(android.data or message.data) + bytes(message.notification) + bytes(android.notification) > most then
    return { field = "message.android", description = "Android message is too big" }
  elseif apns.payload and #json.encode(apns.payload) > most then
    return { field = "message.apns.payload", description = "iOS message is too big" }
  end
end

return M
