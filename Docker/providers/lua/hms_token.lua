-- Huawei's OAuth endpoint: client credentials against an access token.
local bearer = require("bearer")
local json = require("json")
local knobs = require("knobs")
local page = require("page")
local settings = require("settings")
local M = {}

local function refusal(sub, description)
  return { status = 400, body = json.encode({ error = 1101, sub_error = sub, error_description = description }) }
end

function M.decide(request)
  if request.path ~= "/oauth2/v3/token" or request.method ~= "POST" then
    return page(404)
  end
  local order = knobs.get("hms-token-answer")
  if order == "wrong_secret" then
    return refusal(12304, "invalid client_secret")
  elseif order ~= "ok" then
    return page(tonumber(order))
  end
  local form = ngx.decode_args(request.body)
  if form.grant_type ~= "client_credentials" then
    return { status = 400, body = json.encode({
      error = 1102, sub_error = 20001, error_description = "unsupported grant_type",
    }) }
  elseif type(form.client_id) ~= "string" or not form.client_id:match("^%d+$") then
    return refusal(20002, "invalid client_id")
  elseif form.client_id ~= settings.hms.client_id then
    return refusal(20003, "client_id does not exist")
  elseif type(form.client_secret) ~= "string" or form.client_secret == "" then
    return refusal(20171, "client_secret is empty")
  elseif form.client_secret ~= settings.hms.client_secret then
    return refusal(12304, "invalid client_secret")
  end
  -- A slash in every token: Huawei's JSON escapes it, and a client that cuts the token out by pattern fails.
  local token, life = "DQEDA/" .. bearer.random(48) .. "/", knobs.get("hms-token-life-s")
  bearer.issue("hms", token, life)
  return { status = 200,
    body = json.encodeEscaped({ access_token = token, expires_in = life, token_type = "Bearer" }) }
end

return M
