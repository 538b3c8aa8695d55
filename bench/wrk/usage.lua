-- Records usage, each record with a key of its own.
-- Arguments: API key, seed, project, customer, records in a batch (1: one record in each request, no batch).

local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set('threadId', threads)
end

local head, tail, batch, count, random, format = '', '', 1, 0, math.random, string.format

function init(args)
  math.randomseed(tonumber(args[2]) * 64 + threadId)
  batch = tonumber(args[5])
  head = 'POST /api/v2/usage' .. (batch > 1 and '/batch' or '') .. ' HTTP/1.1\r\nHost: ' .. wrk.host .. ':' .. wrk.port ..
    '\r\nAuthorization: Bearer ' .. args[1] .. '\r\nContent-Type: application/json\r\nContent-Length: '
  tail = '"projectId":"' .. args[3] .. '","customerId":"' .. args[4] .. '","metric":"api.calls"}'
end

-- Random at its start, so that keys fall all over the index as real ones do, and counted at its end.
local function record()
  count = count + 1
  return format('{"idempotencyKey":"%08x-%04x-4%03x-a%03x-%04x%08x","quantity":%d,', random(0, 0x7fffffff),
    random(0, 0xffff), random(0, 0xfff), threadId, random(0, 0xffff), count, random(1, 1000)) .. tail
end

function request()
  local body
  if batch == 1 then body = record()
  else
    local records = {}
    for i = 1, batch do records[i] = record() end
    body = '{"records":[' .. table.concat(records, ',') .. ']}'
  end
  return head .. #body .. '\r\n\r\n' .. body
end

function done(summary, latency)
  local errors = summary.errors
  print(format('\n{"requestsPerSecond":%.2f,"p50Ms":%.3f,"p99Ms":%.3f,"failed":%d}',
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
