-- Apple Push Notification service: POST /3/device/{token}, provider tokens signed with ES256.
local connections = require("connections")
local json = require("json")
local jwt = require("jwt")
local knobs = require("knobs")
local ledger = require("ledger")
local outcome = require("outcome")
local page = require("page")
local settings = require("settings")
local tokens = ngx.shared.tokens
local M = {}

local HOUR = 3600
-- How long a connection remembers that its provider token changed, and how many changes it bears: a guess from Apple's
-- "more than once every 20 minutes" and what its engineers say of single connections.
local UPDATES, MOST_UPDATES = 1200, 1
local MOST_PAYLOAD, MOST_VOIP_PAYLOAD, MOST_COLLAPSE_ID = 4096, 5120, 64
-- 2020-01-01: a token that died before anybody registered it here.
local LONG_AGO = 1577836800000

-- Push type -> the ending its topic must have.
local types = {
  alert = "", background = "", complication = ".complication", controls = ".push-type.controls",
  fileprovider = ".pushkit.fileprovider", liveactivity = ".push-type.liveactivity", location = ".location-query",
  mdm = "", pushtotalk = ".voip-ptt", voip = ".voip", widgets = ".push-type.widgets",
}
local reasons = {
  [400] = "BadDeviceToken", [403] = "InvalidProviderToken", [404] = "BadPath", [405] = "MethodNotAllowed",
  [410] = "Unregistered", [413] = "PayloadTooLarge", [429] = "TooManyRequests", [500] = "InternalServerError",
  [503] = "ServiceUnavailable",
}

local keys = {}
local verified, verifiedCount = {}, 0 -- provider tokens this worker has verified: {key id, iat}

local function keyFor(kid)
  local pem = settings.apns.keys[kid]
  if pem then
    keys[kid] = keys[kid] or jwt.publicKey(pem)
  end
  return keys[kid]
end

-- The key id and iat of a provider token whose signature and team are right, or nil. Verified once a worker: an
-- elliptic-curve check costs more than all the rest of an answer.
local function known(token)
  local entry = verified[token]
  if entry then
    return entry
  end
  local header, claims = jwt.verify(token, "ES256", keyFor)
  if not header or claims.iss ~= settings.apns.team_id or not jwt.isSeconds(claims.iat) then
    return nil
  end
  if verifiedCount >= 100 then
    verified, verifiedCount = {}, 0
  end
  entry = { key = header.kid, iat = claims.iat }
  verified[token], verifiedCount = entry, verifiedCount + 1
  return entry
end

-- Whether this provider token came sooner after another one of its key than 20 minutes, on whatever connection.
local function isTooYoung(request, entry)
  local name = request.provider .. ":iat:" .. entry.key
  local first = tokens:get(name)
  if not first or entry.iat - first >= UPDATES then
    tokens:set(name, entry.iat)
    return false
  end
  return entry.iat > first
end

-- Whether the provider token changed more often than Apple likes. Each new one is counted for all.
local function changesTooOften(request, token, entry)
  local name = request.provider .. ":" .. ngx.md5(token)
  if tokens:add(name, true) then
    tokens:incr("count:" .. request.provider, 1, 0)
  end
  if knobs.get("apns-updates") == "key" then
    return isTooYoung(request, entry)
  end
  local shown = request.provider .. ":" .. ngx.var.connection .. ":"
  local last = tokens:get(shown .. "last")
  if last and last ~= name then
    tokens:incr(shown .. "updates", 1, 0, UPDATES)
  end
  tokens:set(shown .. "last", name)
  return (tokens:get(shown .. "updates") or 0) > MOST_UPDATES
end

-- Gives the key id, or nil, the status and the reason.
local function authorized(request)
  -- A client certificate authorises by itself; the header is ignored then.
  local certificate = ngx.var.ssl_client_verify
  if certificate == "SUCCESS" then
    return "certificate"
  elseif certificate ~= "NONE" then
    return nil, 403, "BadCertificate"
  end
  if knobs.get(request.provider .. "-bearer") == "refuse" then
    return nil, 403, "InvalidProviderToken"
  end
  local token = (ngx.var.http_authorization or ""):match("^[Bb]earer (%S+)$")
  if not token then
    return nil, 403, "MissingProviderToken"
  end
  local entry = known(token)
  if not entry then
    return nil, 403, "InvalidProviderToken"
  end
  if changesTooOften(request, token, entry) then
    return nil, 429, "TooManyProviderTokenUpdates"
  end
  ngx.update_time()
  local age = ngx.now() + knobs.get("apns-clock-ahead-s") - entry.iat
  if age < 0 then
    return nil, 403, "InvalidProviderToken"
  elseif age > HOUR then
    return nil, 403, "ExpiredProviderToken"
  elseif connections.keyShown(request.provider, ngx.var.connection, entry.key) ~= entry.key then
    return nil, 403, "UnrelatedKeyIdInToken"
  end
  return entry.key
end

local function badHeader(headers)
  for _, name in ipairs({ "apns-topic", "apns-push-type", "apns-priority", "apns-expiration", "apns-id",
    "apns-collapse-id" }) do
    if type(headers[name]) == "table" then
      return "DuplicateHeaders"
    end
  end
  local topic, kind, priority = headers["apns-topic"], headers["apns-push-type"], headers["apns-priority"] or "10"
  local collapse, expiration = headers["apns-collapse-id"], headers["apns-expiration"]
  if not topic or topic == "" then
    return "MissingTopic"
  elseif kind and not types[kind] then
    return "InvalidPushType"
  elseif kind and topic:sub(-#types[kind] - 1):sub(2) ~= types[kind] then
    return "BadTopic"
  elseif priority ~= "10" and priority ~= "5" and priority ~= "1" then
    return "BadPriority"
  elseif kind == "background" and priority == "10" then
    return "BadPriority"
  elseif collapse and #collapse > MOST_COLLAPSE_ID then
    return "BadCollapseId"
  elseif expiration and not expiration:match("^%d+$") then
    return "BadExpirationDate"
  end
end

local function isUUID(text)
  return text:match("^%x+%-%x%x%x%x%-%x%x%x%x%-%x%x%x%x%-%x+$") and #text == 36 and #text:match("^%x+") == 8
end

local function newUUID(request)
  local hex = ngx.md5(request.provider .. request.number)
  return ("%s-%s-4%s-8%s-%s"):format(hex:sub(1, 8), hex:sub(9, 12), hex:sub(14, 16), hex:sub(18, 20), hex:sub(21))
end

-- Gives the key id (nil when the provider token is refused), and the status and reason unless the push is taken.
local function checked(request, headers, token)
  local key, status, reason = authorized(request)
  if not key then
    return nil, status, reason
  end
  local most = headers["apns-push-type"] == "voip" and MOST_VOIP_PAYLOAD or MOST_PAYLOAD
  local fault = badHeader(headers)
  if fault then
    return key, 400, fault
  elseif headers["apns-id"] and not isUUID(headers["apns-id"]) then
    return key, 400, "BadMessageId"
  elseif token == "" then
    return key, 400, "MissingDeviceToken"
  elseif not token:match("^%x+$") then
    return key, 400, "BadDeviceToken"
  elseif request.body == "" then
    return key, 400, "PayloadEmpty"
  elseif #request.body > most then
    return key, 413, "PayloadTooLarge"
  elseif not request.payload then
    return key, 400, "BadRequestPayload"
  end
  return key
end

function M.decide(request)
  -- Apple speaks HTTP/2 alone.
  if ngx.req.http_version() ~= 2 then
    return { status = 444 }
  end
  local token, headers = request.path:match("^/3/device/([^/]*)$"), ngx.req.get_headers()
  if not token then
    return { status = 404, body = '{"reason":"BadPath"}' }
  elseif request.method ~= "POST" then
    return { status = 405, body = '{"reason":"MethodNotAllowed"}' }
  end
  request.payload = json.object(request.body)
  local key, status, reason = checked(request, headers, token)
  local delay, timestamp = 0, nil
  if not status then
    local dead, always
    delay, dead, status = outcome.read(request.provider, token)
    always = knobs.get(request.provider .. "-answer")
    status = always > 0 and always or dead and 410 or status
    reason = status and reasons[status]
    if status == 410 then
      timestamp = token:lower():find("^dead01d") and LONG_AGO or ledger.milliseconds()
    end
  end
  local given
  if not status then
    given = { status = 200 }
  elseif reason then
    local stamp = timestamp and (',"timestamp":%.0f'):format(timestamp) or ""
    given = { status = status, body = ('{"reason":"%s"%s}'):format(reason, stamp) }
  else
    given = page(status)
  end
  local id = type(headers["apns-id"]) == "string" and headers["apns-id"] or newUUID(request)
  given.headers = { ["apns-id"] = id }
  if request.provider == "apns-sandbox" then
    given.headers["apns-unique-id"] = newUUID(request)
  end
  given.delay = delay
  given.messages = {
    { token = token, uid = json.member(request.payload, "_uid"), code = reason or nil, accepted = given.status == 200 },
  }
  given.more = key and (',"key":"%s"'):format(key)
  return given
end

return M
