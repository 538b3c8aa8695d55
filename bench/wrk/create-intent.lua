-- Creates payment intents, each with an order and an idempotency key of its own.
-- Arguments: API key, seed.

local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set('threadId', threads)
end

local head, count, random, format = '', 0, math.random, string.format

function init(args)
  math.randomseed(tonumber(args[2]) * 64 + threadId)
  head = 'POST /api/merchants/intents HTTP/1.1\r\nHost: ' .. wrk.host .. ':' .. wrk.port ..
    '\r\nAuthorization: Bearer ' .. args[1] .. '\r\nContent-Type: application/json\r\n'
end

-- Random at its start, so that keys fall all over the index as real ones do, and counted at its end.
local function uuid()
  return format('%08x-%04x-4%03x-a%03x-%04x%08x', random(0, 0x7fffffff), random(0, 0xffff),
    random(0, 0xfff), threadId, random(0, 0xffff), count)
end

function request()
  count = count + 1
  local body = format('{"amountCents":%d,"orderId":"order-%08x-%d"}', random(1, 100000), random(0, 0x7fffffff), count)
  return head .. 'Idempotency-Key: ' .. uuid() .. '\r\nContent-Length: ' .. #body .. '\r\n\r\n' .. body
end

function done(summary, latency)
  local errors = summary.errors
  print(format('\n{"requestsPerSecond":%.2f,"p50Ms":%.3f,"p99Ms":%.3f,"failed":%d}',
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
