-- Firebase Cloud Messaging: POST /v1/projects/{project}/messages:send.
local bearer = require("bearer")
local json = require("json")
local knobs = require("knobs")
local outcome = require("outcome")
local page = require("page")
local rules = require("fcm_rules")
local schema = require("fcm_schema")
local settings = require("settings")
local counters = ngx.shared.tokens
local M = {}

local PATH = "/v1/projects/([^/]+)/messages:send"

-- HTTP status -> google.rpc status, FcmError code (nil: none), message.
local faults = {
  [400] = { "INVALID_ARGUMENT", "INVALID_ARGUMENT", "The registration token is not a valid FCM registration token" },
  [401] = { "UNAUTHENTICATED", nil, "Request had invalid authentication credentials. Expected OAuth 2 access token, "
    .. "login cookie or other valid authentication credential." },
  [403] = { "PERMISSION_DENIED", "SENDER_ID_MISMATCH", "SenderId mismatch" },
  [404] = { "NOT_FOUND", "UNREGISTERED", "Requested entity was not found." },
  [429] = { "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED", "Quota exceeded for quota metric 'Messages sent'." },
  [500] = { "INTERNAL", "INTERNAL", "Internal error encountered." },
  [503] = { "UNAVAILABLE", "UNAVAILABLE", "The service is currently unavailable." },
}

local function refusal(status, word, message, code, violation)
  local details = {}
  if code then
    details[#details + 1] = { ["@type"] = "type.googleapis.com/google.firebase.fcm.v1.FcmError", errorCode = code }
  end
  if violation then
    details[#details + 1] = { ["@type"] = "type.googleapis.com/google.rpc.BadRequest", fieldViolations = { violation } }
  end
  return {
    status = status,
    code = code or word,
    body = json.encode({ error = {
      code = status, message = message, status = word, details = #details > 0 and details or nil,
    } }),
  }
end

local function ordered(status)
  local fault = faults[status]
  if not fault then
    return page(status)
  end
  return refusal(status, fault[1], fault[3], fault[2])
end

local function badRequest(violation, code)
  return refusal(400, "INVALID_ARGUMENT", violation.description, code, violation)
end

local function uid(message)
  local data = json.member(json.member(message, "android"), "data") or json.member(message, "data")
  local payload = json.member(json.member(message, "apns"), "payload")
  return json.member(data, "_uid") or json.member(payload, "_uid")
end

-- The refusal of a request that reaches no device, or nil and the message.
local function checked(request, body, fault)
  if knobs.get("fcm-bearer") == "refuse" or bearer.check("fcm") ~= "valid" then
    local refused = ordered(401)
    refused.headers = { ["WWW-Authenticate"] = 'Bearer realm="https://accounts.google.com/", error="invalid_token"' }
    return refused
  elseif request.path:match(PATH) ~= settings.fcm.project_id then
    return refusal(404, "NOT_FOUND", "Requested entity was not found.")
  elseif not body then
    return badRequest({ description = "Invalid JSON payload received. " .. fault })
  end
  local read, violation = schema.check(body)
  if not read then
    return badRequest(violation)
  end
  violation = rules.check(read.message or {})
  if violation then
    return badRequest(violation, "INVALID_ARGUMENT")
  end
  return nil, read
end

local function success(request)
  return {
    status = 200,
    body = ('{\n  "name": "projects/%s/messages/0:%.0f%%%08x"\n}\n'):format(settings.fcm.project_id, request.number,
      request.number % 2 ^ 32),
  }
end

-- Whether the project's bucket is empty: so many messages a window, refused ones too, whole again with the next window,
-- which begins at no round time.
local function isOverQuota()
  local quota, window = knobs.get("fcm-quota"), math.max(knobs.get("fcm-quota-window-s"), 1)
  if quota == 0 then
    return false
  end
  counters:safe_add("fcm-quota-phase", ngx.now() % 1)
  local number = math.floor(ngx.now() / window + counters:get("fcm-quota-phase"))
  return counters:incr("fcm-quota:" .. number, 1, 0, 2 * window) > quota
end

local function answer(request, body, fault)
  if isOverQuota() then
    return ordered(429)
  end
  local refused, read = checked(request, body, fault)
  if refused then
    return refused
  end
  if read.validate_only then
    return success(request), true
  end
  local delay, dead, status = outcome.read("fcm", read.message.token or "")
  local always = knobs.get("fcm-answer")
  status = always > 0 and always or dead and 404 or status
  local given = status and ordered(status) or success(request)
  given.delay = delay
  return given
end

function M.decide(request)
  if not request.path:match("^" .. PATH .. "$") or request.method ~= "POST" then
    return page(404)
  end
  local body, fault = json.object(request.body)
  local message = json.member(body, "message")
  local given, onlyValidated = answer(request, body, fault)
  if not onlyValidated then
    given.messages = {
      { token = json.member(message, "token"), uid = uid(message), code = given.code, accepted = given.status == 200 },
    }
  end
  return given
end

return M
