-- What Jobs/stack.sh asks over the Unix socket: /ready, /set?name=…&value=…, /connections, /reset.
local connections = require("connections")
local json = require("json")
local knobs = require("knobs")
local ledger = require("ledger")
local settings = require("settings")
local M = {}

local function reply(status, text)
  ngx.status = status
  ngx.print(text .. "\n")
end

-- Everything a run left behind is forgotten: lines, bodies, transfers, counters, knobs. Access tokens stay good.
local function reset()
  for worker = 0, ngx.worker.count() - 1 do
    assert(io.open(settings.folder .. "/ledger/worker-" .. worker .. ".jsonl", "w")):close()
  end
  for _, name in ipairs({ "counters", "knobs", "seen", "tokens", "transfers" }) do
    ngx.shared[name]:flush_all()
  end
  ledger.forgetBodies()
end

function M.serve()
  local path, arguments = ngx.var.uri, ngx.req.get_uri_args()
  if path == "/ready" then
    reply(200, "ready")
  elseif path == "/set" then
    local done, fault = knobs.set(arguments.name or "", arguments.value or "")
    reply(done and 200 or 400, done and "set" or fault)
  elseif path == "/connections" then
    reply(200, json.encode(connections.report()))
  elseif path == "/reset" then
    reset()
    reply(200, "reset")
  else
    reply(404, "unknown")
  end
end

return M
