-- Asks random ones of many paths for an offer, as a program does; 402 is the answer that is wanted.
-- Arguments: a file with one "- path" per line, seed.

local requests = {}

function init(args)
  math.randomseed(tonumber(args[2]))
  for line in io.lines(args[1]) do
    local path = line:match('^%S+ (%S+)$')
    requests[#requests + 1] = 'GET ' .. path .. ' HTTP/1.1\r\nHost: ' .. wrk.host .. ':' .. wrk.port ..
      '\r\nAccept: application/json\r\n\r\n'
  end
end

function request()
  return requests[math.random(#requests)]
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format('\n{"requestsPerSecond":%.2f,"p50Ms":%.3f,"p99Ms":%.3f,"failed":%d}',
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.connect + errors.read + errors.write + errors.timeout))
end
