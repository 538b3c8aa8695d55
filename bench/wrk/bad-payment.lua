-- Sends random ones of many payments that are worth nothing; 400 and 402 are the answers that are wanted.
-- Arguments: a file with one PAYMENT-SIGNATURE per line, seed, path.

local requests = {}

function init(args)
  math.randomseed(tonumber(args[2]))
  for line in io.lines(args[1]) do
    requests[#requests + 1] = 'GET ' .. args[3] .. ' HTTP/1.1\r\nHost: ' .. wrk.host .. ':' .. wrk.port ..
      '\r\nAccept: application/json\r\nPAYMENT-SIGNATURE: ' .. line .. '\r\n\r\n'
  end
end

function request()
  return requests[math.random(#requests)]
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format('\n{"requestsPerSecond":%.2f,"p50Ms":%.3f,"p99Ms":%.3f,"failed":%d,"refused":%d,"requests":%d}',
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.connect + errors.read + errors.write + errors.timeout, errors.status, summary.requests))
end
