-- RuStore: FCM's path and message with a service token, a flat error body and an empty success.
local json = require("json")
local knobs = require("knobs")
local outcome = require("outcome")
local page = require("page")
local settings = require("settings")
local M = {}

local MOST_BODY = 4096
local PATH = "^/v1/projects/([^/]+)/messages:send$"
local faults = {
  [400] = { "INVALID_ARGUMENT", "The registration token is not a valid FCM registration token" },
  [401] = { "UNAUTHORIZED", "Invalid S2S token" },
  [403] = { "PERMISSION_DENIED", "Permission denied" },
  [404] = { "NOT_FOUND", "Requested entity was not found." },
  [429] = { "TOO_MANY_REQUESTS", "Too many requests" },
  [500] = { "INTERNAL", "Internal error" },
}

local function refusal(status, text)
  local fault = faults[status]
  if not fault then
    return page(status)
  end
  return {
    status = status,
    code = fault[1],
    body = json.encode({ code = status, message = text or fault[2], status = fault[1] }),
  }
end

local function checkData(data)
  if data == nil then
    return nil
  elseif type(data) ~= "table" or #data > 0 then
    return refusal(400, "message.data must be an object")
  end
  for name, value in pairs(data) do
    if type(value) ~= "string" then
      return refusal(400, "message.data." .. name .. " must be a string")
    end
  end
end

local function refused(request, body, message)
  if knobs.get("rustore-bearer") == "refuse"
    or ngx.var.http_authorization ~= "Bearer " .. settings.rustore.token then
    return refusal(401)
  elseif request.path:match(PATH) ~= settings.rustore.project_id then
    return refusal(404)
  elseif #request.body > MOST_BODY then
    return refusal(400, "The message exceeds 4096 bytes")
  elseif not body or type(message) ~= "table" then
    return refusal(400, "Invalid JSON")
  elseif type(json.member(message, "token")) ~= "string" or message.token == "" then
    return refusal(400, "message.token must be a string")
  end
  local ttl = json.member(json.member(message, "android"), "ttl")
  if ttl ~= nil and (type(ttl) ~= "string" or not (ttl:match("^%d+s$") or ttl:match("^%d+%.%d+s$"))) then
    return refusal(400, "message.android.ttl must be a duration such as 3.5s")
  end
  return checkData(json.member(message, "data"))
end

function M.decide(request)
  if not request.path:match(PATH) or request.method ~= "POST" then
    return page(404)
  end
  local body = json.object(request.body)
  local message = json.member(body, "message")
  local given = refused(request, body, message)
  if not given then
    local delay, dead, status = outcome.read("rustore", message.token)
    local always = knobs.get("rustore-answer")
    status = always > 0 and always or dead and 404 or status
    given = status and refusal(status) or { status = 200, body = "{}" }
    given.delay = delay
  end
  given.messages = { {
    token = json.member(message, "token"),
    uid = json.member(json.member(message, "data"), "_uid"),
    code = given.code,
    accepted = given.status == 200,
  } }
  return given
end

return M
