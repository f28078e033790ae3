-- Counts connections, streams and requests per stand-in. `$connection` is unique over all workers of one nginx.
local knownPorts = require("settings").ports
local counters, flight, tokens = ngx.shared.counters, ngx.shared.flight, ngx.shared.tokens
local M = {}
local open = {} -- requests open on each connection; a connection lives in one worker
local inFlight = {} -- this worker's requests per stand-in

-- Each worker publishes its own figure, so that those of a killed one go with it.
local function publish(provider, change)
  inFlight[provider] = (inFlight[provider] or 0) + change
  flight:set(provider .. ":" .. ngx.worker.id(), inFlight[provider])
end

local function inFlightOfAll(provider)
  local sum = 0
  for worker = 0, ngx.worker.count() - 1 do
    sum = sum + (flight:get(provider .. ":" .. worker) or 0)
  end
  return sum
end

function M.startWorker()
  for provider in pairs(knownPorts) do
    flight:delete(provider .. ":" .. ngx.worker.id())
  end
end

-- A peak is kept per worker: another worker's smaller figure, written a moment later, must not lower it.
local function raise(name, value)
  local key = "peak:" .. name .. ":" .. ngx.worker.id()
  if value > (counters:get(key) or 0) then
    counters:set(key, value)
  end
end

local function peak(name)
  local most = 0
  for worker = 0, ngx.worker.count() - 1 do
    most = math.max(most, counters:get("peak:" .. name .. ":" .. worker) or 0)
  end
  return most
end

-- In the TLS handshake; sessions are never resumed, so this runs once a connection.
function M.opened(provider)
  counters:incr("opened:" .. provider, 1, 0)
end

function M.requestBegan(provider)
  local connection = ngx.var.connection
  ngx.ctx.connection = connection
  open[connection] = (open[connection] or 0) + 1
  counters:incr("requests:" .. provider, 1, 0)
  raise("streams:" .. provider, open[connection])
  publish(provider, 1)
  raise("flight:" .. provider, inFlightOfAll(provider))
end

function M.requestEnded(provider)
  local connection = ngx.ctx.connection
  if not connection then
    return -- nginx answered by itself, before any Lua ran
  end
  open[connection] = open[connection] > 1 and open[connection] - 1 or nil
  publish(provider, -1)
end

-- The first key a connection showed stays its only one; gives that key.
function M.keyShown(provider, connection, key)
  local name = "key:" .. provider .. ":" .. connection
  counters:add(name, key)
  return counters:get(name)
end

local function establishedByPort()
  local count = {}
  for _, path in ipairs({ "/proc/net/tcp", "/proc/net/tcp6" }) do
    local file = io.open(path)
    if file then
      for line in file:lines() do
        local port, state = line:match("^%s*%d+: %x+:(%x+) %x+:%x+ (%x+)")
        if state == "01" then
          port = tonumber(port, 16)
          count[port] = (count[port] or 0) + 1
        end
      end
      file:close()
    end
  end
  return count
end

function M.report()
  local established, keys = establishedByPort(), {}
  for _, name in ipairs(counters:get_keys(0)) do
    local provider, connection = name:match("^key:([%a-]+):(%d+)$")
    if provider then
      local key = counters:get(name)
      keys[provider] = keys[provider] or {}
      keys[provider][key] = keys[provider][key] or {}
      table.insert(keys[provider][key], tonumber(connection))
    end
  end
  local report = {}
  for provider, port in pairs(knownPorts) do
    report[provider] = {
      opened = counters:get("opened:" .. provider) or 0,
      open = established[port] or 0,
      requests = counters:get("requests:" .. provider) or 0,
      most_streams = peak("streams:" .. provider),
      most_in_flight = peak("flight:" .. provider),
      keys = keys[provider],
      tokens = tokens:get("count:" .. provider),
    }
  end
  return report
end

return M
