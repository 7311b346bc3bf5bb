-- Drives wrk for restbench: one request shape, a fresh integer id in every request, errors reported at the end.
--
-- Arguments after "--": METHOD PATH BODY_FILE FIRST_ID [HEADER VALUE]...
-- PATH may hold {id}. Each thread counts up from FIRST_ID and its own number.

-- How far each thread counts on: more than any machine here gives wrk threads, so no two threads send one id.
local STEP = 64
local MARK = "/restbench-id"
local threads = 0
local before, after, id

function setup(thread)
  thread:set("offset", threads)
  threads = threads + 1
end

function init(args)
  local method, path, body_file, first = args[1], args[2], args[3], args[4]
  local file = assert(io.open(body_file, "rb"))
  local body = file:read("*a")
  file:close()
  local headers = { ["Connection"] = "keep-alive" }
  for i = 5, #args, 2 do
    headers[args[i]] = args[i + 1]
  end
  -- the request is formatted once and cut at the id: formatting each would make wrk the limit
  local has_id = path:find("{id}", 1, true) ~= nil
  local request = wrk.format(method, (path:gsub("/{id}", MARK)), headers, #body > 0 and body or nil)
  if has_id then
    local from, to = request:find(MARK, 1, true)
    before, after = request:sub(1, from), request:sub(to + 1)
    id = tonumber(first) + offset
  else
    before = request
  end
end

function request()
  if not id then
    return before
  end
  id = id + STEP
  return before .. string.format("%d", id) .. after
end

function done(summary, latency, _)
  local e = summary.errors
  io.write(string.format(
    'restbench {"requests":%d,"duration":%d,"mean":%.3f,"p50":%d,"p75":%d,"p90":%d,"p99":%d,"p999":%d,"max":%d,'
      .. '"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}\n',
    summary.requests, summary.duration, latency.mean, latency:percentile(50), latency:percentile(75),
    latency:percentile(90), latency:percentile(99), latency:percentile(99.9), latency.max,
    e.connect, e.read, e.write, e.status, e.timeout
  ))
end
