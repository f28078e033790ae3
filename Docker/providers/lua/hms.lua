-- Huawei Push Kit v1: POST /v1/{client id}/messages:send, up to 1000 tokens of one message.
local bearer = require("bearer")
local json = require("json")
local knobs = require("knobs")
local outcome = require("outcome")
local page = require("page")
local settings = require("settings")
local M = {}

local MOST_TOKENS, MOST_BODY, LONGEST_TTL = 1000, 4096, 1296000
local SUCCESS, PARTLY, ALL_BAD = "80000000", "80100000", "80300007"
-- An ordered HTTP status -> the code that comes with it; 502, 503 and 504 come from the front end without JSON.
local codes = { [400] = "80100001", [401] = "80200001", [500] = "81000001" }

local function coded(status, code, text)
  if knobs.get("hms-codes-at-200") == "on" then
    status = 200
  end
  return {
    status = status,
    code = code,
    body = json.encodeEscaped({ code = code, msg = text, requestId = ("%.0f"):format(ngx.now() * 1e6) }),
  }
end

local function badMessage(text)
  return coded(400, "80100003", "Illegal payload, " .. text)
end

local function checkData(value, name)
  if value ~= nil and type(value) ~= "string" then
    return badMessage(name .. " must be a string")
  end
end

local function checkAndroid(message, android)
  local ttl, collapse, notification = android.ttl, android.collapse_key, android.notification
  if ttl ~= nil then
    local seconds = type(ttl) == "string" and (ttl:match("^(%d+)s?$") or ttl:match("^(%d+%.%d+)s?$"))
    if not seconds or tonumber(seconds) > LONGEST_TTL then
      return badMessage("ttl is invalid")
    end
  end
  if collapse ~= nil and (type(collapse) ~= "number" or collapse < -1 or collapse > 100) then
    return coded(400, "80100013", "collapse_key is invalid")
  end
  if android.urgency ~= nil and android.urgency ~= "HIGH" and android.urgency ~= "NORMAL" then
    return badMessage("urgency is invalid")
  end
  if notification ~= nil then
    local base = json.member(message, "notification")
    if not (json.member(notification, "title") or json.member(base, "title"))
      or not (json.member(notification, "body") or json.member(base, "body")) then
      return badMessage("title/content cannot be null")
    elseif not json.member(notification, "click_action") then
      return badMessage("click_action cannot be null")
    end
  end
end

local function checkTokens(message, body)
  local tokens = json.member(message, "token")
  if json.member(message, "topic") or json.member(message, "condition") then
    return tokens and badMessage("only one of token, topic and condition is allowed") or nil
  end
  if type(tokens) ~= "table" or #tokens < 1 or #tokens > MOST_TOKENS then
    return coded(400, "80300010", "The number of tokens must be between 1 and 1000")
  end
  local spent = 0
  for _, token in ipairs(tokens) do
    if type(token) ~= "string" then
      return badMessage("token must be a string")
    end
    spent = spent + #token + 3 -- its quotes and a comma
  end
  if #body - spent + 1 > MOST_BODY then
    return coded(400, "80300008", "The message body exceeds 4096 bytes")
  end
end

-- The refusal of a request that reaches no device, or nil.
local function refused(request, body)
  local state = bearer.check("hms")
  if knobs.get("hms-bearer") == "refuse" or state == "unknown" then
    return coded(401, "80200001", "Oauth authentication error")
  elseif state == "expired" then
    return coded(401, "80200003", "Oauth Token expired")
  elseif request.path ~= "/v1/" .. settings.hms.client_id .. "/messages:send" then
    return coded(400, "80300002", "APP has no right to send the message: check the app id")
  end
  local message = json.member(body, "message")
  if type(message) ~= "table" then
    return body and coded(400, "80300010", "The number of tokens must be between 1 and 1000")
      or badMessage("not a JSON object")
  end
  local android = json.member(message, "android") or {}
  if type(android) ~= "table" then
    return badMessage("android must be an object")
  end
  return checkTokens(message, request.body)
    or checkData(json.member(message, "data"), "data")
    or checkData(json.member(android, "data"), "android.data")
    or checkAndroid(message, android)
end

local function ordered(status)
  local code = codes[status]
  if code then
    return coded(status, code, "ordered by a token")
  end
  return page(status)
end

local function uid(message)
  local data = json.member(json.member(message, "android"), "data") or json.member(message, "data")
  if type(data) == "string" then
    data = json.object(data)
  end
  return json.member(data, "_uid") or json.member(json.member(json.member(message, "apns"), "payload"), "_uid")
end

-- The answer to a request that is right by itself, and which of its tokens are dead.
local function delivered(tokens)
  local delay, status, illegal, isDead = 0, nil, {}, {}
  for index, token in ipairs(tokens) do
    local slow, dead, wanted = outcome.read("hms", token)
    delay = math.max(delay, slow)
    status = status or wanted
    if dead then
      isDead[index] = true
      illegal[#illegal + 1] = token
    end
  end
  local always, given = knobs.get("hms-answer"), nil
  status = always > 0 and always or status
  local partly = { success = #tokens - #illegal, failure = #illegal, illegal_tokens = illegal }
  if status then
    given = ordered(status)
  elseif #illegal == 0 then
    given = coded(200, SUCCESS, "Success")
  elseif #illegal < #tokens then
    given = coded(200, PARTLY, json.encode(partly))
  else
    local text = knobs.get("hms-all-bad") == "json" and json.encode(partly) or "All the tokens are invalid"
    given = coded(200, ALL_BAD, text)
  end
  given.delay = delay
  return given, isDead
end

function M.decide(request)
  if not request.path:match("^/v1/[^/]+/messages:send$") or request.method ~= "POST" then
    return page(404)
  end
  local body = json.object(request.body)
  local message = json.member(body, "message")
  local tokens = json.member(message, "token")
  local list = type(tokens) == "table" and #tokens > 0 and tokens or { json.null }
  local given, isDead = refused(request, body), {}
  if not given then
    if json.member(body, "validate_only") == true then
      return coded(200, SUCCESS, "Success")
    end
    given, isDead = delivered(tokens and list or {})
  end
  local spread = given.code == SUCCESS or given.code == PARTLY or given.code == ALL_BAD
  local id, messages = uid(message), {}
  for index, token in ipairs(list) do
    local code = spread and (isDead[index] and ALL_BAD or SUCCESS) or given.code
    messages[index] = { token = token, uid = id, code = code, accepted = code == SUCCESS }
  end
  given.messages = messages
  return given
end

return M
