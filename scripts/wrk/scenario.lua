-- Drives wrk for restbench: sends one request shape with a new integer id in each request, ends on time, and prints a
-- report. Where it is asked to, it also reads every answer (reading.lua).
--
-- Arguments after "--":
--   METHOD PATH BODY_FILE FIRST_ID IDS START THREADS CONNECTIONS SECONDS SOCKET READING [HEADER VALUE]...
-- PATH and the body may hold {id}. IDS is a power of 2. The ids are FIRST_ID to FIRST_ID + IDS - 1. Their order looks
-- random and depends on START. All ids have the same number of digits. CONNECTIONS is the number per thread. SOCKET is
-- the number of an open file, the other end of which the harness has. READING is the file with the arguments of
-- reading.lua, or empty.
--
-- One request in REPEAT_EVERY asks again for the id of some requests before, with the same body: an app that keeps its
-- answers then gives an old one. A thread repeats another id only after it has sent all of its own.
--
-- wrk takes whole seconds only, and looks every 100 ms whether its time is over. It also times the opening of
-- connections, and at its end it drops the requests that are under way. Here the load is timed from the first request
-- of any thread to the last answer. After SECONDS, a connection whose answer has come sends nothing more. A thread stops
-- with its last answer. So every request is answered and counted. wrk's own --duration ends a load only when answers do
-- not come.
--
-- wrk opens all connections of a thread at once. A socket queues no more connections than its backlog, which is 100 in
-- asyncio and 128 in many libraries. A connection that does not fit is dropped, and TCP tries it again after a second.
-- So threads begin in groups of OPENED_AT_ONCE connections, and none sends a request before all threads have a
-- connection.
--
-- The harness reads counters of CPU time between the opening of connections and the first request, and between the last
-- answer and the closing of connections. Each thread writes OPENED to the socket when its first connection is open, and
-- reads a byte, which the harness sends when the load is to begin. All connections of a thread were begun before its
-- first one may send, and the kernel opens the others while the thread waits. Each thread writes ANSWERED when it stops.
-- wrk's main thread then sleeps until the harness sends SIGINT. Connections are closed when wrk exits.
--
-- They are reset then. Each connection that a client closes in the usual way keeps its port for a minute. Loads of 512
-- connections would soon have most of the 28,000 ports, and the kernel would need a second to find free ones.

local ffi = require("ffi")
ffi.cdef([[
  struct restbench_time { long seconds; long nanoseconds; };
  int clock_gettime(int clock, struct restbench_time *time);
  int usleep(unsigned int microseconds);
  long send(int socket, const void *bytes, size_t count, int flags);
  long recv(int socket, void *bytes, size_t count, int flags);
  struct restbench_linger { int on; int seconds; };
  int setsockopt(int socket, int level, int option, const void *value, unsigned int size);
]])
local CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID = 1, 2
local OPENED, ANSWERED = "o", "a"
local SOL_SOCKET, SO_LINGER = 1, 13
-- How many files wrk may have open: for each connection a thread has three, where each has one.
local FILES_PER_CONNECTION, OWN_FILES = 3, 16
-- A linear congruential generator. Its period is its modulus, a power of 2 (Knuth, TAOCP 2, 3.2.1.2, theorem A). The
-- constants are those of Numerical Recipes. All products are below 2^53, so doubles hold them exactly.
local MULTIPLIER, INCREMENT = 1664525, 1013904223
local REPEAT_EVERY = 32
local FOLDER = debug.getinfo(1, "S").source:match("^@(.*/)")
local time = ffi.new("struct restbench_time")
local threads = {}
-- The time that threads have to open their connections before the next ones begin, and how many connections are opened
-- at once.
local OPENING_MICROSECONDS, OPENED_AT_ONCE = 5000, 64
-- What threads tell each other: which have stopped, how many requests each has sent, and when the load began and ended,
-- with the CPU time of wrk until then. Each thread has its own Lua state, so it gets the addresses of these arrays.
local stopped = ffi.new("int32_t[4096]")
local counted = ffi.new("int32_t[4096]")
local times = ffi.new("double[2]")
local used = ffi.new("double[2]")
local BEGAN, ENDED = 0, 1
local byte = ffi.new("char[1]")
local has_begun, quiet, asked = false, 0, 0
local parts, first, modulus, state, lanes, step, seconds, harness, is_check, repeated, reader

local function read_clock(clock)
  ffi.C.clock_gettime(clock, time)
  return tonumber(time.seconds) + tonumber(time.nanoseconds) / 1e9
end

local function clock()
  return read_clock(CLOCK_MONOTONIC)
end

-- Notes that the load BEGAN or ENDED.
local function note(what)
  times[what], used[what] = clock(), read_clock(CLOCK_PROCESS_CPUTIME_ID)
end

local function tell_harness(what)
  ffi.C.send(harness, what, #what, 0)
end

-- Waits until the load is to begin. Where the harness is gone, it waits for nothing.
local function wait_for_harness()
  ffi.C.recv(harness, byte, 1, 0)
end

local function address(array)
  return tonumber(ffi.cast("uintptr_t", array))
end

-- wrk calls this before it starts a thread.
function setup(thread)
  thread:set("number", #threads)
  thread:set("stopped_at", address(stopped))
  thread:set("counted_at", address(counted))
  thread:set("times_at", address(times))
  thread:set("used_at", address(used))
  table.insert(threads, thread)
end

-- Returns the request without its ids: the text before, between and after them. It is built once, because building each
-- request would make wrk the bottleneck.
local function request_parts(method, path, body, headers, id)
  local lines = { method .. " " .. path .. " HTTP/1.1", "Host: " .. wrk.headers["Host"], "Connection: keep-alive" }
  for _, header in ipairs(headers) do
    table.insert(lines, header)
  end
  if #body > 0 then
    table.insert(lines, "Content-Length: " .. #(body:gsub("{id}", id)))
  end
  local text, found, from = table.concat(lines, "\r\n") .. "\r\n\r\n" .. body, {}, 1
  for before, after in text:gmatch("(){id}()") do
    table.insert(found, text:sub(from, before - 1))
    from = after
  end
  table.insert(found, text:sub(from))
  assert(#found <= 3, "a request has its id at most twice")
  return found
end

-- `connections` is global, because done reads it from the thread.
function init(args)
  local method, path, body_file, reading = args[1], args[2], args[3], args[11]
  local ids, start = tonumber(args[5]), tonumber(args[6])
  first, step, connections, seconds = tonumber(args[4]), tonumber(args[7]), tonumber(args[8]), tonumber(args[9])
  harness = tonumber(args[10])
  local file = assert(io.open(body_file, "rb"))
  local body = file:read("*a")
  file:close()
  local headers = {}
  for i = 12, #args, 2 do
    table.insert(headers, args[i] .. ": " .. args[i + 1])
  end
  parts = request_parts(method, path, body, headers, args[4])
  if #parts > 1 then
    -- each thread sends every lanes-th id: lanes is the next power of 2, so the modulus is a power of 2 too
    lanes = 1
    while lanes < step do
      lanes = lanes * 2
    end
    modulus = ids / lanes
    state = (start + number) % modulus
  end
  stopped = ffi.cast("int32_t *", stopped_at)
  counted = ffi.cast("int32_t *", counted_at)
  times = ffi.cast("double *", times_at)
  used = ffi.cast("double *", used_at)
  -- at its start, wrk asks the first thread for a request that it only parses and does not send
  is_check = number == 0
  if reading ~= "" then
    reader = dofile(FOLDER .. "reading.lua")(reading, number)
    response = reader.read
  end
  local before = number * connections
  if math.floor(before / OPENED_AT_ONCE) > math.floor((before - connections) / OPENED_AT_ONCE) and number > 0 then
    ffi.C.usleep(OPENING_MICROSECONDS)
  end
end

-- A connection has had its last answer. The thread stops when all of its connections have.
local function fall_quiet()
  quiet = quiet + 1
  if quiet ~= connections then
    return
  end
  if reader then
    reader.finish()
  end
  wrk.thread:stop()
  stopped[number] = 1
  note(ENDED)
  tell_harness(ANSWERED)
end

-- Returns the id of the next request.
local function next_id()
  local phase = asked % REPEAT_EVERY
  if phase == 0 and repeated then
    return repeated
  end
  state = (state * MULTIPLIER + INCREMENT) % modulus
  local id = string.format("%d", first + state * lanes + number)
  if phase == REPEAT_EVERY / 2 then
    repeated = id
  end
  return id
end

-- wrk calls this when a connection may send. An empty request sends nothing, and the connection goes on waiting.
function request()
  if is_check then
    is_check = false
    return parts[1] .. (#parts > 1 and first .. parts[2] or "") .. (#parts > 2 and first .. parts[3] or "")
  end
  if not has_begun then
    tell_harness(OPENED)
    wait_for_harness()
    if times[BEGAN] == 0 then
      note(BEGAN)
    end
    has_begun = true
  end
  local is_last = clock() >= times[BEGAN] + seconds or (reader and reader.has_enough())
  local probe = reader and reader.probe(is_last)
  if is_last and not probe then
    fall_quiet()
    return ""
  end
  asked = asked + 1
  counted[number] = asked
  if probe then
    return probe
  end
  if not state then
    if reader then
      reader.expect(nil)
    end
    return parts[1]
  end
  local id = next_id()
  if reader then
    reader.expect(id)
  end
  if #parts == 2 then
    return parts[1] .. id .. parts[2]
  end
  return parts[1] .. id .. parts[2] .. id .. parts[3]
end

-- Makes the kernel reset connections when wrk exits. Numbers of files that are no sockets are refused, and stay as they are.
local function reset_connections()
  local linger = ffi.new("struct restbench_linger", 1, 0)
  for file = 3, FILES_PER_CONNECTION * #threads * threads[1]:get("connections") + OWN_FILES do
    ffi.C.setsockopt(file, SOL_SOCKET, SO_LINGER, linger, ffi.sizeof(linger))
  end
end

function done(summary, latency, _)
  reset_connections()
  local has_load, has_stopped, sent = times[BEGAN] > 0, true, 0
  for i = 0, #threads - 1 do
    has_stopped = has_stopped and stopped[i] == 1
    sent = sent + counted[i]
  end
  if not has_stopped then -- answers did not come
    note(ENDED)
  end
  local took = has_load and times[ENDED] - times[BEGAN] or summary.duration / 1e6
  local cpu = has_load and used[ENDED] - used[BEGAN] or 0
  local e = summary.errors
  io.write(string.format(
    'restbench {"sent":%d,"requests":%d,"received":%d,"seconds":%.6f,"cpu":%.6f,"mean":%.3f,"connect":%d,"read":%d,'
      .. '"write":%d,"status":%d,"timeout":%d}\n',
    sent, summary.requests, summary.bytes, took, cpu, latency.mean, e.connect, e.read, e.write, e.status,
    e.timeout
  ))
end
