-- One JSON line a message received, written before the answer leaves and unbuffered: what a client saw answered is in
-- the file even after kill -9 of the worker. Each worker has its own file, so lines never mix.
local cjson = require("cjson.safe")
local knobs = require("knobs")
local settings = require("settings")
local state = ngx.shared.state
local M = {}
local file

local LINE = '{"provider":"%s","token":%s,"uid":%s,"status":%d,"code":%s,"accepted":%s,"time":%.0f,'
  .. '"connection":%s,"request":%.0f%s}\n'

function M.open()
  file = assert(io.open(settings.folder .. "/ledger/worker-" .. ngx.worker.id() .. ".jsonl", "a"))
  file:setvbuf("no")
end

-- Numbers of different starts of one stack never meet: prepare.sh counts the starts.
function M.nextRequest()
  return settings.start * 1e9 + state:incr("request", 1, 0)
end

function M.milliseconds()
  return math.floor(ngx.now() * 1000 + 0.5)
end

local function quoted(value)
  return type(value) == "string" and cjson.encode(value) or "null"
end

-- `messages` is a list of {token, uid, code, accepted}; `more` is JSON members to add to each line, or nil.
function M.write(provider, request, status, messages, more)
  local time, lines = M.milliseconds(), {}
  for index, message in ipairs(messages) do
    lines[index] = LINE:format(provider, quoted(message.token), quoted(message.uid), status, quoted(message.code),
      tostring(message.accepted), time, ngx.var.connection, request, more or "")
  end
  if #lines > 0 then
    assert(file:write(table.concat(lines)))
  end
end

-- The first bodies of each provider stay as they came, for people and for tests (knob keep-bodies).
function M.keepBody(provider, body)
  local count = state:get("bodies:" .. provider) or 0
  if count >= knobs.get("keep-bodies") then
    return
  end
  count = state:incr("bodies:" .. provider, 1, 0)
  local kept = assert(io.open(("%s/bodies/%s.%06d.json"):format(settings.folder, provider, count), "w"))
  kept:write(body)
  kept:close()
end

-- Jobs/stack.sh has deleted the files.
function M.forgetBodies()
  for _, provider in ipairs({ "fcm", "apns", "apns-sandbox", "hms", "rustore" }) do
    state:delete("bodies:" .. provider)
  end
end

return M
