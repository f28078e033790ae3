-- A token's first characters order its answer, with hexadecimal letters only so that APNs tokens can do it too:
--   dead        the provider's word for a token that is gone
--   e503        this HTTP status, every time (400 to 599; 444 resets the stream without an answer)
--   f503        this HTTP status for the first request of the token, success from then on
--   d0500       answered after 500 ms; what follows is read again, so d0500e503 is a slow 503
local seen = ngx.shared.seen
local M = {}

-- Gives the delay in ms, whether the token is dead, and the HTTP status it asks for (nil: success).
function M.read(provider, token)
  local delay, rest = 0, token
  local ms, tail = rest:match("^[dD](%d%d%d%d)(.*)$")
  if ms then
    delay, rest = tonumber(ms), tail
  end
  if rest:sub(1, 4):lower() == "dead" then
    return delay, true, nil
  end
  local kind, status = rest:match("^([eEfF])([45]%d%d)")
  if not kind then
    return delay, false, nil
  end
  if kind:lower() == "f" and not seen:add(provider .. ":" .. token, true) then
    return delay, false, nil
  end
  return delay, false, tonumber(status)
end

return M
