-- The Message resource of FCM v1 as proto3 JSON reads it: both spellings of a name, unknown names refused, types
-- exact, durations and enums checked. A fault of form carries BadRequest alone, no FcmError.
local json = require("json")
local M = {}

local text, bool, integer, float = "TYPE_STRING", "TYPE_BOOL", "TYPE_INT32", "TYPE_FLOAT"
local duration, any = "duration", "any"

local function map(kind)
  return { map = kind }
end

local function list(kind)
  return { list = kind }
end

local function enum(...)
  local values = {}
  for _, value in ipairs({ ... }) do
    values[value] = true
  end
  return { enum = values }
end

local function object(fields)
  return { fields = fields }
end

local label = object({ analytics_label = text })
local light = object({
  color = object({ red = float, green = float, blue = float, alpha = float }),
  light_on_duration = duration,
  light_off_duration = duration,
})
local androidNotification = object({
  title = text, body = text, icon = text, color = text, sound = text, tag = text, click_action = text,
  body_loc_key = text, body_loc_args = list(text), title_loc_key = text, title_loc_args = list(text),
  channel_id = text, ticker = text, sticky = bool, event_time = text, local_only = bool,
  notification_priority = enum("PRIORITY_UNSPECIFIED", "PRIORITY_MIN", "PRIORITY_LOW", "PRIORITY_DEFAULT",
    "PRIORITY_HIGH", "PRIORITY_MAX"),
  default_sound = bool, default_vibrate_timings = bool, default_light_settings = bool,
  vibrate_timings = list(duration), light_settings = light,
  visibility = enum("VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"),
  notification_count = integer, image = text,
  proxy = enum("PROXY_UNSPECIFIED", "ALLOW", "DENY", "IF_PRIORITY_LOWERED"),
})
local message = object({
  name = text, token = text, topic = text, condition = text, fid = text, data = map(text),
  notification = object({ title = text, body = text, image = text }),
  fcm_options = label,
  android = object({
    collapse_key = text, priority = enum("NORMAL", "HIGH"), ttl = duration, restricted_package_name = text,
    data = map(text), notification = androidNotification, fcm_options = label, direct_boot_ok = bool,
    bandwidth_constrained_ok = bool, restricted_satellite_ok = bool,
  }),
  webpush = object({
    headers = map(text), data = map(text), notification = any,
    fcm_options = object({ link = text, analytics_label = text }),
  }),
  apns = object({
    headers = map(text), payload = any, live_activity_token = text,
    fcm_options = object({ analytics_label = text, image = text }),
  }),
})
M.root = object({ validate_only = bool, message = message })

local function shown(value)
  return type(value) == "table" and "(object or list)" or tostring(value)
end

local function invalid(path, kind, value)
  return { field = path, description = ("Invalid value at '%s' (%s), %s"):format(path, kind, shown(value)) }
end

local function isObject(value)
  return type(value) == "table" and #value == 0
end

local check

local function checkObject(value, fields, path, out)
  for name, member in pairs(value) do
    local field = name:gsub("%u", function(letter)
      return "_" .. letter:lower()
    end)
    local inner = path == "" and field or path .. "." .. field
    if not fields[field] then
      return {
        field = path ~= "" and path or nil,
        description = ("Invalid JSON payload received. Unknown name \"%s\"%s: Cannot find field."):format(name,
          path == "" and "" or " at '" .. path .. "'"),
      }
    elseif out[field] ~= nil then
      return invalid(path, "oneof", field .. " is already set")
    elseif member ~= json.null then
      local fault
      out[field], fault = check(member, fields[field], inner)
      if fault then
        return fault
      end
    end
  end
end

-- Gives the value with snake_case names, or nil and the fault.
function check(value, kind, path)
  if kind == any then
    if not isObject(value) then
      return nil, invalid(path, "type.googleapis.com/google.protobuf.Struct", value)
    end
  elseif kind == duration then
    if type(value) ~= "string" or not (value:match("^%-?%d+s$") or value:match("^%-?%d+%.%d+s$")) then
      return nil, {
        field = path,
        description = ("Invalid value at '%s' (type.googleapis.com/google.protobuf.Duration), Illegal duration format; "
          .. "duration must end with 's'"):format(path),
      }
    end
  elseif kind == text or kind == bool then
    if type(value) ~= (kind == text and "string" or "boolean") then
      return nil, invalid(path, kind, value)
    end
  elseif kind == integer or kind == float then
    if type(value) ~= "number" or (kind == integer and value ~= math.floor(value)) then
      return nil, invalid(path, kind, value)
    end
  elseif kind.enum then
    if type(value) ~= "string" or not kind.enum[value:upper()] then
      return nil, invalid(path, "TYPE_ENUM", value)
    end
  elseif kind.list then
    if type(value) ~= "table" or (#value == 0 and next(value) ~= nil) then
      return nil, invalid(path, "list", value)
    end
    for index, element in ipairs(value) do
      local _, fault = check(element, kind.list, ("%s[%d]"):format(path, index - 1))
      if fault then
        return nil, fault
      end
    end
  elseif not isObject(value) then
    return nil, invalid(path, "object", value)
  elseif kind.map then
    local index = 0
    for _, element in pairs(value) do
      local _, fault = check(element, kind.map, ("%s[%d].value"):format(path, index))
      if fault then
        return nil, fault
      end
      index = index + 1
    end
  else
    local out = {}
    local fault = checkObject(value, kind.fields, path, out)
    if fault then
      return nil, fault
    end
    return out
  end
  return value
end

-- Gives the request with snake_case names, or nil and {field, description}.
function M.check(request)
  return check(request, M.root, "")
end

return M
