-- Drives wrk for restbench: sends one request shape with a new integer id in each request, ends on time or after a batch,
-- and prints a report. Where it is asked to, it also reads every answer (reading.lua).
--
-- The argument after "--" is the number of an open file. Lua code in it returns a table of what the harness asks for:
--   requests     the bytes of a request, once for each body. Each id has the one that is its remainder when divided by
--                how many there are. FIRST stands in them in place of the id
--   first, ids   the ids are first to first + ids - 1, and all have the same number of digits. `ids` is a power of 2
--   keys         odd numbers that decide over the order of ids, below 2^26
--   seed         that of random numbers
--   threads, connections   how many threads there are, and connections of each
--   seconds      when the last request is sent, unless the batch was sent before
--   batch        how many requests all threads send, or nothing
--   opened       when the connection of each thread is opened, in microseconds, or nothing
--   counts       the number of an open file, in which each thread tells how many requests it has sent, or nothing
--   beside       how many connections the load has that tells it, where this one is to send as often; else 0
--   pace         the mean milliseconds between two requests of a connection, or nothing
--   socket       the number of an open file, the other end of which the harness has
--   reading      the number of an open file, Lua code in which returns what reading.lua is to do, or nothing
--
-- One request in REPEAT_EVERY asks again for the id of some requests before, with the same body: an app that keeps its
-- answers then gives an old one. A thread repeats another id only after it has sent all of its own.
--
-- wrk takes whole seconds only, and looks every 100 ms whether its time is over. It also times the opening of
-- connections, and at its end it drops the requests that are under way. Here the load is timed from the first request
-- of any thread to the last answer. After that time, a connection whose answer has come sends nothing more. A thread
-- stops with its last answer. So every request is answered and counted. wrk's own --duration ends a load only when
-- answers do not come.
--
-- wrk opens all connections of a thread at once. A socket queues no more connections than its backlog, which is 100 in
-- asyncio and 128 in many libraries. A connection that does not fit is dropped, and TCP tries it again after a second.
-- So threads begin in groups of OPENED_AT_ONCE connections, and none sends a request before all threads have a
-- connection.
--
-- Several processes of wrk that load one app open their connections together: the first thread writes STARTED to the
-- socket, and no connection is opened until the harness has sent a byte.
--
-- A thread of one connection would send its next request at once, and one of many connections when others have had
-- their turn. So an app could tell which connections are read by how soon requests follow answers. The thread of a
-- reader waits until each of the other connections has sent about as many requests.
--
-- The harness reads counters of CPU time between the opening of connections and the first request, and between the last
-- answer and the closing of connections. Each thread writes OPENED to the socket when its first connection is open, and
-- reads a byte, which the harness sends when the load is to begin. All connections of a thread were begun before its
-- first one may send, and the kernel opens the others while the thread waits. Each thread writes ANSWERED when it stops.
-- wrk's main thread then sleeps until the harness sends SIGINT, and closes the connections.
--
-- They are reset. Each connection that a client only closes keeps its port for a minute. Loads of 512 connections would
-- soon have most of the 28,000 ports, and the kernel would need a second to find free ones. But an app is told first that
-- nothing more comes, as a reset alone is an error to it: uvicorn then keeps what it knows of the connection until its
-- keep-alive timeout ends. The apps of many rounds had so many of these that a request took twice as much CPU time.

local bit, ffi = require("bit"), require("ffi")
ffi.cdef([[
  struct restbench_time { long seconds; long nanoseconds; };
  int clock_gettime(int clock, struct restbench_time *time);
  int usleep(unsigned int microseconds);
  long send(int socket, const void *bytes, size_t count, int flags);
  long recv(int socket, void *bytes, size_t count, int flags);
  struct restbench_linger { int on; int seconds; };
  void *mmap(void *address, size_t size, int protection, int flags, int file, long offset);
  int shutdown(int socket, int how);
  int close(int file);
  int setsockopt(int socket, int level, int option, const void *value, unsigned int size);
]])
local CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID = 1, 2
local STARTED, OPENED, ANSWERED = "s", "o", "a"
local SOL_SOCKET, SO_LINGER, SHUT_WR = 1, 13, 1
local READ_AND_WRITE, SHARED = 3, 1
local MOST_THREADS = 512
-- How many files wrk may have open: for each connection a thread has three, where each has one.
local FILES_PER_CONNECTION, OWN_FILES = 3, 16
local REPEAT_EVERY = 32
local HALF_OF_AN_ID = 14 -- bits
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
-- `shapes` has for each body of a request the text before, between and after its ids.
local asked_for, shapes, batch, has_ids, fresh, is_check, repeated, reader, counts

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
  ffi.C.send(asked_for.socket, what, #what, 0)
end

-- Waits for a byte. Where the harness is gone, it waits for nothing.
local function wait_for_harness()
  ffi.C.recv(asked_for.socket, byte, 1, 0)
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

-- Splits a request where its ids stand. Building each request anew would make wrk the bottleneck.
local function without_ids(request)
  local parts, first, from = {}, tostring(asked_for.first), 1
  for before, after in request:gmatch("()" .. first .. "()") do
    table.insert(parts, request:sub(from, before - 1))
    from = after
  end
  table.insert(parts, request:sub(from))
  assert(#parts <= 3, "a request has its id at most twice")
  return parts
end

local function with_id(parts, id)
  if #parts == 1 then
    return parts[1]
  end
  if #parts == 2 then
    return parts[1] .. id .. parts[2]
  end
  return parts[1] .. id .. parts[2] .. id .. parts[3]
end

-- Returns how many milliseconds the only connection waits, so that it sends when others send their next requests.
local function wait_for_others(now)
  local sent = 0
  for i = 0, MOST_THREADS - 1 do
    sent = sent + counts[i]
  end
  local mean = sent / asked_for.beside
  return (asked + math.random() - mean) * (now - times[BEGAN]) / math.max(mean, 1) * 1000
end

-- `connections` is global, because done reads it from the thread.
function init(args)
  asked_for = dofile("/proc/self/fd/" .. args[1])
  connections = asked_for.connections
  shapes = {}
  for i, request in ipairs(asked_for.requests) do
    shapes[i] = without_ids(request)
  end
  has_ids, fresh = #shapes[1] > 1, number
  if asked_for.batch then
    batch = math.floor((number + 1) * asked_for.batch / asked_for.threads)
      - math.floor(number * asked_for.batch / asked_for.threads)
  end
  stopped = ffi.cast("int32_t *", stopped_at)
  counted = ffi.cast("int32_t *", counted_at)
  times = ffi.cast("double *", times_at)
  used = ffi.cast("double *", used_at)
  -- at its start, wrk asks the first thread for a request that it only parses and does not send
  is_check = number == 0
  if asked_for.reading then
    response = function(status, headers, body)
      reader.read(status, headers, body, clock())
    end
  end
  if asked_for.counts then
    counts = ffi.cast("int32_t *", ffi.C.mmap(nil, 4 * MOST_THREADS, READ_AND_WRITE, SHARED, asked_for.counts, 0))
  end
  if asked_for.pace or asked_for.beside > 0 then
    math.randomseed(asked_for.seed + number)
    -- wrk waits so many whole milliseconds before it asks for the next request of a connection
    delay = function()
      if times[BEGAN] == 0 then
        return 0
      end
      local now = clock()
      local left = (times[BEGAN] + asked_for.seconds - now) * 1000
      local wait = asked_for.pace and 2 * asked_for.pace * math.random() or wait_for_others(now)
      -- rounded up, as a connection would else send again and again in the last millisecond
      return math.max(0, math.min(math.ceil(left), math.floor(wait + math.random())))
    end
  end
  if number == 0 then
    tell_harness(STARTED)
    wait_for_harness()
  end
  local opened = asked_for.opened
  if opened then
    ffi.C.usleep(opened[number + 1] - (opened[number] or 0))
  elseif number > 0 and number % math.floor(OPENED_AT_ONCE / connections) == 0 then
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

-- Returns the place of a number below `ids` in an order of its own. Each step can be undone, so no two have the same
-- place. All products are below 2^53, so doubles hold them exactly. The keys are new in each load: an app cannot tell
-- from ids which requests one thread sends, and so not which of its connections are read.
local function scatter(count)
  for _, key in ipairs(asked_for.keys) do
    count = count * key % asked_for.ids
    count = bit.bxor(count, bit.rshift(count, HALF_OF_AN_ID))
  end
  return count
end

-- Returns the id of the next request. `may_repeat`: whether it may be one that was sent before.
local function next_id(may_repeat)
  local phase = asked % REPEAT_EVERY
  if phase == 0 and repeated and may_repeat then
    return repeated
  end
  local id = asked_for.first + scatter(fresh)
  fresh = (fresh + asked_for.threads) % asked_for.ids
  if phase == REPEAT_EVERY / 2 and may_repeat then
    repeated = id
  end
  return id
end

-- wrk calls this when a connection may send. An empty request sends nothing, and the connection goes on waiting.
function request()
  if is_check then
    is_check = false
    return with_id(shapes[1], asked_for.first)
  end
  if not has_begun then
    if asked_for.reading then
      -- not before, as an app could tell by how long connections take to be opened
      local reading = dofile("/proc/self/fd/" .. asked_for.reading)
      reader = dofile(FOLDER .. "reading.lua")(asked_for, reading, number)
    end
    tell_harness(OPENED)
    wait_for_harness()
    if times[BEGAN] == 0 then
      note(BEGAN)
    end
    has_begun = true
  end
  local now = clock()
  local seconds = now - times[BEGAN]
  if seconds >= asked_for.seconds or (batch and asked >= batch) then
    fall_quiet()
    return ""
  end
  local wrong = reader and reader.wrong(batch and asked / batch or seconds / asked_for.seconds)
  asked = asked + 1
  counted[number] = asked
  if counts and asked_for.beside == 0 then
    counts[number] = asked
  end
  local id = has_ids and next_id(not wrong) or nil
  local which = (id or asked) % #shapes
  if reader then
    reader.expect(id, which, wrong ~= nil, now)
  end
  return with_id(wrong and without_ids(wrong) or shapes[which + 1], id and string.format("%d", id))
end

-- Ends and then resets each connection. Numbers of files that are no sockets are refused, and stay as they are.
local function close_connections()
  local linger = ffi.new("struct restbench_linger", 1, 0)
  for file = 3, FILES_PER_CONNECTION * #threads * threads[1]:get("connections") + OWN_FILES do
    if ffi.C.setsockopt(file, SOL_SOCKET, SO_LINGER, linger, ffi.sizeof(linger)) == 0 then
      ffi.C.shutdown(file, SHUT_WR)
      ffi.C.close(file)
    end
  end
end

function done(summary, latency, _)
  close_connections()
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
