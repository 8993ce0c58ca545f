# The commands of `heddle gdb`.  UP_FD, DEBUG_AT, STEPS_FD and TRANSACTIONS stand before this text: the region that the runtime
# writes, the place of struct wire_debug in it, the list of steps, and which of them are a transaction.
import gdb
import mmap
import os
import re
import struct


class Shared:
    """struct wire_debug, in memory that the program has too; it is there before the program starts."""

    FIELDS = ("stop_at", "stop_switch", "step", "actor", "failed", "ended")

    def __init__(self):
        size = os.stat("/proc/self/fd/%d" % UP_FD).st_size
        fd = os.open("/proc/self/fd/%d" % UP_FD, os.O_RDWR)
        self.map = mmap.mmap(fd, size)
        os.close(fd)

    def get(self, field):
        return struct.unpack_from("<I", self.map, DEBUG_AT + 4 * self.FIELDS.index(field))[0]

    def set(self, field, value):
        struct.pack_into("<I", self.map, DEBUG_AT + 4 * self.FIELDS.index(field), value)

    def lines(self):
        at = DEBUG_AT + 4 * len(self.FIELDS)
        return self.map[at : self.map.find(b"\0", at)].decode("ascii", "replace").splitlines()


shared = Shared()
steps = {}
with open("/proc/self/fd/%d" % STEPS_FD) as listing:
    for line in listing:
        found = re.match(r"\s*(\d+)\s+T\d+", line)
        if found:
            steps[int(found.group(1))] = line.rstrip("\n")
listed = sorted(steps)  # some entries are not listed: what invariants can tell
last_step = max(steps, default=0)


def counted(now):
    """The steps that moves count: a transaction is one, unless the program is inside of it."""
    passed = set()
    for first, inside, last in TRANSACTIONS:
        passed.update(range(first + 1, (inside if first < now <= last and inside else last + 1)))
    return [s for s in listed if s not in passed]


def say(text):
    gdb.write(text + "\n")


def running():
    return gdb.selected_inferior().pid != 0


def in_runtime(frame):
    name = gdb.current_progspace().solib_name(frame.pc())
    return name is not None and "libheddle-rt" in name


def hidden(frame):
    """Of heddle's runtime or of libc, or without source."""
    name = gdb.current_progspace().solib_name(frame.pc()) or ""
    return in_runtime(frame) or "/libc.so" in name or frame.find_sal().symtab is None


def user_frame():
    """The innermost frame of the program; None: it has none yet."""
    frame = gdb.newest_frame()
    while frame is not None and frame.is_valid() and hidden(frame):
        frame = frame.older()
    return frame if frame is not None and frame.is_valid() else None


def select_user_frame():
    frame = user_frame()
    if frame is not None:
        frame.select()


def local_name(address, frame):
    """A variable of this frame that holds the address, or ""."""
    try:
        block = frame.block()
    except RuntimeError:
        return ""
    while block is not None and not block.is_static and not block.is_global:
        for symbol in block:
            if not (symbol.is_variable or symbol.is_argument) or not symbol.needs_frame:
                continue
            try:
                value = symbol.value(frame)
                start = int(value.address) if value.address is not None else None
            except gdb.error:
                continue
            if start is not None and start <= address < start + value.type.sizeof:
                offset = "+%d" % (address - start) if address > start else ""
                return "%s%s of %s" % (symbol.name, offset, frame.name())
        block = block.superblock
    return ""


def stack_name(address):
    """A variable on the stack of any thread, or ""."""
    selected, found = gdb.selected_thread(), ""
    for thread in gdb.selected_inferior().threads():
        thread.switch()
        frame = gdb.newest_frame()
        while not found and frame is not None and frame.is_valid():
            found = "" if in_runtime(frame) else local_name(address, frame)
            frame = frame.older()
        if found:
            break
    selected.switch()
    return found


def object_name(address):
    if address == 0:
        return ""
    if address >= 0xFFFF000000000000:
        return "T%d" % ((address - 0xFFFF000000000000) // 8 % 1024)  # what it is about a thread: wire.h
    text = gdb.execute("info symbol 0x%x" % address, to_string=True).strip()
    if text.startswith("No symbol"):
        return stack_name(address) or "0x%x" % address
    return re.sub(r" in section.*", "", text)


class RuntimeFrames:
    """bt leaves the frames of heddle's runtime out."""

    name, priority, enabled = "heddle", 100, True

    def __init__(self):
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        return (f for f in frames if not in_runtime(f.inferior_frame()))


class StopPoint(gdb.Breakpoint):
    """The runtime calls this function only where it is to stop."""

    def __init__(self):
        super().__init__("heddle_debug_stop", internal=True)
        self.silent = True


def where():
    if not running():
        return say("the program is not running; `heddle goto 1' starts it")
    if shared.get("ended"):
        return say("the execution is over; `heddle back' or `heddle goto N' runs it again")
    if shared.get("failed"):
        what = "has broken an invariant" if shared.get("failed") == 2 else "has failed here"
        return say("T%d %s, after step %d" % (shared.get("actor"), what, shared.get("step")))
    step = shared.get("step")
    say("%s step %d of %d" % ("before" if at_point else "after", step, last_step))
    say(steps.get(step, "").strip())
    for first, inside, last in TRANSACTIONS:
        if first == step and inside and at_point:
            say("a transaction, up to step %d; `heddle enter' goes into it" % last)


def on_objfile(event):
    """The runtime is there: its function can be stopped in."""
    global stop_point
    if stop_point is None and "libheddle-rt" in (event.new_objfile.filename or ""):
        stop_point = StopPoint()


def on_stop(event):
    global at_point
    if asking:
        return
    at_point = stop_point in getattr(event, "breakpoints", [])
    if at_point:
        select_user_frame()
        where()


def own_breakpoints():
    """Those of the user that can stop the program."""
    return [b for b in gdb.breakpoints() if b.is_valid() and b.enabled and b.visible]


def run_to(step, switch=0):
    """Goes to the moment before a step: onwards, or from the beginning again.  Breakpoints do not stop it on the way."""
    off = own_breakpoints() if step else []
    for breakpoint in off:
        breakpoint.enabled = False
    try:
        travel(step, switch)
    finally:
        for breakpoint in off:
            if breakpoint.is_valid():
                breakpoint.enabled = True


def travel(step, switch):
    gdb.execute("set confirm off")
    again = not running() or shared.get("ended") or (step and step <= shared.get("step"))
    shared.set("stop_at", step)
    shared.set("stop_switch", switch)
    if again:
        if running():
            gdb.execute("kill", to_string=True)
        for field in ("step", "actor", "failed", "ended"):
            shared.set(field, 0)
        gdb.execute("run")
    else:
        gdb.execute("continue")


def ask():
    """The stopped thread describes the execution, and comes back to where it is (rt/arch/x86_64/ask.S)."""
    global asking
    level, thread = gdb.selected_frame().level(), gdb.selected_thread()
    gdb.newest_frame().select()
    pc, sp = (int(gdb.parse_and_eval("(long)$" + name)) for name in ("pc", "sp"))
    locking = gdb.parameter("scheduler-locking")
    off = own_breakpoints()
    for breakpoint in off:
        breakpoint.enabled = False
    back = gdb.Breakpoint("*0x%x" % pc, internal=True, temporary=True)
    back.thread = thread.num
    back.silent = True
    asking = True
    try:
        gdb.execute("set scheduler-locking on")
        gdb.execute("set {long}0x%x = 0x%x" % (sp - 136, pc))
        gdb.execute("set $sp = 0x%x" % (sp - 136))
        gdb.execute("set $pc = (long)&heddle_debug_ask")
        gdb.execute("signal 0", to_string=True)
    finally:
        asking = False
        gdb.execute("set scheduler-locking " + locking)
        if back.is_valid():
            back.delete()
        for breakpoint in off:
            breakpoint.enabled = True
    frame = gdb.newest_frame()
    while frame.level() < level and frame.older() is not None:
        frame = frame.older()
    frame.select()


def number(argument, default):
    try:
        return int(gdb.parse_and_eval(argument)) if argument.strip() else default
    except (gdb.error, ValueError):
        raise gdb.GdbError("`%s' is not a number" % argument)


class Heddle(gdb.Command):
    """Move along the schedule that heddle replays.  Type `help heddle'."""

    def __init__(self):
        super().__init__("heddle", gdb.COMMAND_RUNNING, prefix=True)


def command(name):
    def register(function):
        class Sub(gdb.Command):
            __doc__ = function.__doc__

            def __init__(self):
                super().__init__("heddle " + name, gdb.COMMAND_RUNNING)

            def invoke(self, argument, from_tty):
                function(argument)

        Sub()
        return function

    return register


Heddle()


@command("goto")
def goto(argument):
    """heddle goto N: to the moment before step N (numbers as in `heddle schedule')."""
    step = number(argument, 1)
    if not 1 <= step <= last_step:
        raise gdb.GdbError("there is no step %d; the schedule has steps 1 to %d" % (step, last_step))
    run_to(next(s for s in listed if s >= step))


@command("forward")
def forward(argument):
    """heddle forward [N]: N steps on (1).  A transaction is one step, unless the program is inside of it."""
    now = shared.get("step") if running() else 0
    rest = [s for s in counted(now) if s > now][max(0, number(argument, 1) - 1) :]
    run_to(rest[0] if rest else 0)


@command("back")
def back(argument):
    """heddle back [N]: N steps back (1); the program is run again from its start."""
    performed = not at_point or shared.get("ended") or shared.get("failed")
    now = shared.get("step")
    before = [s for s in counted(now) if s < now + bool(performed)]
    run_to(before[max(0, len(before) - number(argument, 1))] if before else 1)


@command("enter")
def enter(argument):
    """heddle enter: into the transaction that is the next step."""
    now = shared.get("step") if running() and at_point else 0
    found = [inside for first, inside, last in TRANSACTIONS if first <= now < (inside or last + 1)]
    if not found:
        raise gdb.GdbError("the next step is not a transaction that runs; `heddle schedule' shows them")
    if not found[0]:
        raise gdb.GdbError("the transaction aborts: nothing of it is performed")
    run_to(next(s for s in listed if s >= found[0]))


@command("next-switch")
def next_switch(argument):
    """heddle next-switch: to where another thread's turn comes."""
    run_to(0, 1)


@command("end")
def end(argument):
    """heddle end: to the failure, or the end of the execution."""
    run_to(0)


@command("where")
def show_where(argument):
    """heddle where: the step that is about to be performed."""
    where()


@command("schedule")
def schedule(argument):
    """heddle schedule: all steps; => is the next one."""
    now = shared.get("step") if running() else 0
    inner = set(listed) - set(counted(0))
    for step in listed:
        say(("=> " if step == now else "   ") + ("  " if step in inner else "") + steps[step])


def table(kind):
    if not running():
        raise gdb.GdbError("the program is not running; `heddle goto 1' starts it")
    ask()
    return [line.split() for line in shared.lines() if line.startswith(kind)]


@command("pending")
def pending(argument):
    """heddle pending: what each thread is about to do, and whether it can."""
    for _, thread, state, operation, address in table("thread "):
        say("T%-3s %-7s %s %s" % (thread, state, operation.replace("_", " "), object_name(int(address, 16))))


@command("threads")
def threads(argument):
    """heddle threads: the same as `heddle pending'."""
    pending(argument)


@command("held")
def held(argument):
    """heddle held: the locks that are held, and by whom."""
    rows = table("held ")
    for _, thread, address in rows:
        say("T%-3s holds %s" % (thread, object_name(int(address, 16))))
    if not rows:
        say("no lock is held")


@command("buffers")
def buffers(argument):
    """heddle buffers: under --memory tso and pso, the stores that have not reached memory, the oldest of each thread first."""
    rows = table("store ")
    for _, thread, address, size, value in rows:
        number = int(value, 16) - (1 << 32 if size == "4" and int(value, 16) >> 31 else 0)
        what = "%d" % number if int(size) <= 8 else "(%s bytes)" % size
        say("T%-3s %s = %s" % (thread, object_name(int(address, 16)), what))
    if not rows:
        say("no store waits in a buffer")


class InfoThreads(gdb.Command):
    """info threads: the threads of the program, each with the innermost frame of the program's own code."""

    def __init__(self):
        super().__init__("info threads", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        if not running():
            return say("No threads.")
        selected, frame = gdb.selected_thread(), gdb.selected_frame()
        for thread in sorted(gdb.selected_inferior().threads(), key=lambda t: t.num):
            thread.switch()
            own = user_frame()
            if own is None:
                place = "has not begun"
            else:
                sal = own.find_sal()
                place = "%s () at %s:%d" % (own.name(), sal.symtab.filename, sal.line)
            name = '"%s"' % thread.name if own is not None and thread.name else "-"
            say("%s %-4d %-6s %s" % ("*" if thread.num == selected.num else " ", thread.num, name, place))
        selected.switch()
        frame.select()


def leave_runtime():
    """Runs until the program's own code continues, so that a step begins there, or is done."""
    if not running() or not in_runtime(gdb.newest_frame()):
        return
    own, thread = user_frame(), gdb.selected_thread()
    if own is None:
        return
    line = own.find_sal().line
    stop = gdb.Breakpoint("*0x%x" % own.pc(), internal=True, temporary=True)
    stop.thread = thread.num
    stop.silent = True
    gdb.execute("continue", to_string=True)
    if stop.is_valid():
        stop.delete()
    if not running() or gdb.selected_thread() is None or gdb.selected_thread().num != thread.num or hidden(gdb.newest_frame()):
        raise gdb.GdbError("stopped before %s could continue" % (thread.name or "the thread"))
    place = gdb.newest_frame().find_sal()
    if place.line != line and place.pc == gdb.newest_frame().pc():
        gdb.execute("frame")
        raise gdb.GdbError(" ")  # the call was the last of its line: the step is done


@command("leave-runtime")
def leave(argument):
    """heddle leave-runtime: to where the selected thread is in the program's own code; `next' and `step' begin with it."""
    leave_runtime()


for name in ("next", "step"):
    gdb.execute("define hook-%s\nheddle leave-runtime\nend" % name)
gdb.execute("skip -gfi src/rt/*", to_string=True)
gdb.execute("set pagination off")
gdb.execute("set print thread-events off")
gdb.execute("set startup-with-shell on")
gdb.execute("handle SIGSYS SIGILL SIG62 nostop noprint pass", to_string=True)
stop_point = None
at_point = False  # stopped by stop_point: shared tells where; else a step was performed, and the next is not reached
asking = False  # in ask()
RuntimeFrames()
InfoThreads()
gdb.events.new_objfile.connect(on_objfile)
gdb.events.stop.connect(on_stop)
say("heddle: %d steps; `heddle goto N', `forward', `back', `enter', `next-switch', `end', `where', `schedule', `pending', `held', `buffers'" % last_step)
