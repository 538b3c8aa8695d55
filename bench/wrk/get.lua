-- Gets random ones of many paths.
-- Arguments: a file with one "API-key path" per line (- for no key), seed, more header lines.

local requests = {}

function init(args)
  math.randomseed(tonumber(args[2]))
  local more = ''
  for i = 3, #args do more = more .. '\r\n' .. args[i] end
  for line in io.lines(args[1]) do
    local key, path = line:match('^(%S+) (%S+)$')
    requests[#requests + 1] = 'GET ' .. path .. ' HTTP/1.1\r\nHost: ' .. wrk.host .. ':' .. wrk.port ..
      (key == '-' and '' or '\r\nAuthorization: Bearer ' .. key) .. more .. '\r\n\r\n'
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
