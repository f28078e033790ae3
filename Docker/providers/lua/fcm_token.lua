-- Google's OAuth endpoint: a signed JWT against an access token (RFC 7523).
local bearer = require("bearer")
local json = require("json")
local jwt = require("jwt")
local knobs = require("knobs")
local page = require("page")
local settings = require("settings")
local M = {}

local GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
local scopes = {
  ["https://www.googleapis.com/auth/firebase.messaging"] = true,
  ["https://www.googleapis.com/auth/cloud-platform"] = true,
}
local publicKey

local function refusal(code, description)
  return { status = 400, body = json.encode({ error = code, error_description = description }) }
end

local function keyFor(kid)
  if kid == settings.fcm.private_key_id then
    publicKey = publicKey or jwt.publicKey(settings.fcm.public_key)
    return publicKey
  end
end

local function hasScope(claims)
  for scope in (type(claims.scope) == "string" and claims.scope or ""):gmatch("%S+") do
    if scopes[scope] then
      return true
    end
  end
end

local function refused(assertion)
  local header, claims = jwt.verify(assertion, "RS256", keyFor)
  if not header then
    return refusal("invalid_grant", claims == "form" and "Invalid JWT: not a signed JWT." or "Invalid JWT Signature.")
  elseif claims.iss ~= settings.fcm.client_email then
    return refusal("invalid_grant", "Invalid grant: account not found")
  elseif claims.aud ~= settings.fcm.token_uri then
    return refusal("invalid_grant", "Invalid JWT: Failed audience check. The right audience is "
      .. settings.fcm.token_uri)
  end
  ngx.update_time()
  local now = ngx.now()
  if not jwt.isSeconds(claims.iat) or not jwt.isSeconds(claims.exp) or claims.iat > now or claims.exp <= now
    or claims.exp - claims.iat > 3600 then
    return refusal("invalid_grant", "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable "
      .. "timeframe. Check your iat and exp values in the JWT claim.")
  elseif not hasScope(claims) then
    return refusal("invalid_scope", "Invalid OAuth scope or ID token audience provided.")
  end
end

function M.decide(request)
  if request.path ~= "/token" or request.method ~= "POST" then
    return page(404)
  end
  local order = knobs.get("fcm-token-answer")
  if order == "invalid_grant" then
    return refusal("invalid_grant", "Invalid JWT Signature.")
  elseif order ~= "ok" then
    return { status = tonumber(order), body = json.encode({ error = "internal_failure" }) }
  end
  local form = ngx.decode_args(request.body)
  if form.grant_type ~= GRANT then
    return refusal("unsupported_grant_type", "Invalid grant_type: " .. tostring(form.grant_type))
  elseif type(form.assertion) ~= "string" then
    return refusal("invalid_request", "Missing parameter: assertion")
  end
  local fault = refused(form.assertion)
  if fault then
    return fault
  end
  local token, life = "ya29." .. bearer.random(48), knobs.get("fcm-token-life-s")
  bearer.issue("fcm", token, life)
  return { status = 200, body = json.encode({ access_token = token, expires_in = life, token_type = "Bearer" }) }
end

return M
