-- Creates checkout sessions, each with a reference and an idempotency key of its own, for one of many customers.
-- Arguments: API key, seed, customers (user-1 to user-n exist), step, and the places: what each sells, as the rest of
-- a body, one on each line. Customer n belongs to place n modulo their number; only every step-th customer buys.

local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set('threadId', threads)
end

local head, tails, customers, step, count, random, format = '', {}, 1, 1, 0, math.random, string.format

function init(args)
  math.randomseed(tonumber(args[2]) * 64 + threadId)
  step = tonumber(args[4])
  customers = tonumber(args[3]) / step
  head = 'POST /api/v2/checkout-sessions HTTP/1.1\r\nHost: ' .. wrk.host .. ':' .. wrk.port ..
    '\r\nAuthorization: Bearer ' .. args[1] .. '\r\nContent-Type: application/json\r\n'
  for tail in args[5]:gmatch('[^\n]+') do tails[#tails + 1] = tail end
end

-- Random at its start, so that keys fall all over the index as real ones do, and counted at its end.
local function uuid()
  return format('%08x-%04x-4%03x-a%03x-%04x%08x', random(0, 0x7fffffff), random(0, 0xffff),
    random(0, 0xfff), threadId, random(0, 0xffff), count)
end

function request()
  count = count + 1
  local customer = random(1, customers) * step
  local body = format('{"externalCustomerId":"user-%d","merchantReference":"order-%08x-%d",', customer,
    random(0, 0x7fffffff), count) .. tails[customer % #tails + 1]
  return head .. 'Idempotency-Key: ' .. uuid() .. '\r\nContent-Length: ' .. #body .. '\r\n\r\n' .. body
end

function done(summary, latency)
  local errors = summary.errors
  print(format('\n{"requestsPerSecond":%.2f,"p50Ms":%.3f,"p99Ms":%.3f,"failed":%d}',
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
