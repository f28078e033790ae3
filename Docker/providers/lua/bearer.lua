-- Access tokens that a stand-in's OAuth endpoint issued, shared by the workers.
local base64 = require("ngx.base64")
local issued = ngx.shared.issued
local M = {}

-- How long an expired token is still told from one never issued.
local MEMORY = 86400

function M.random(count)
  local source = assert(io.open("/dev/urandom", "rb"))
  local bytes = source:read(count)
  source:close()
  return base64.encode_base64url(bytes)
end

function M.issue(provider, token, life)
  ngx.update_time()
  assert(issued:set(provider .. ":" .. token, ngx.now() + life, life + MEMORY))
end

-- "valid", "expired" or "unknown", for the request's `Authorization: Bearer …`.
function M.check(provider)
  local token = (ngx.var.http_authorization or ""):match("^[Bb]earer (%S+)$")
  local expires = token and issued:get(provider .. ":" .. token)
  if not expires then
    return "unknown"
  end
  return ngx.now() < expires and "valid" or "expired"
end

return M
