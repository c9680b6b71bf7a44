"""Runs the command as subprocess.run() does, in a child of a program that is started once.

run(words, ...) takes the options of subprocess.run(). Where REPRISE_SERVED in the environment names a
serve-command (serve_command.c), that forks a child for each call instead of starting a program, which takes a
quarter of the time with sanitizers. Without the variable, and with options other than those of
`OPTIONS`, the program itself is started.
"""

import io
import os
import selectors
import signal
import socket
import subprocess
import threading
import time
import weakref

OPTIONS = {"capture_output", "check", "cwd", "env", "text", "timeout"}
MESSAGE_MAX = 128 << 10  # of serve_command.c


class Server:
    """One per thread, since it runs one command at a time."""

    def __init__(self, program):
        self.owner = os.getpid()
        self.link, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.process = subprocess.Popen([program, str(theirs.fileno())], pass_fds=[theirs.fileno()],
                                            stdin=subprocess.DEVNULL, start_new_session=True)
        weakref.finalize(self, self.end, self.link, self.process, self.owner)

    @staticmethod
    def end(link, process, owner):
        """The server ends with its socket. A forked child has a copy of the socket and no server."""
        link.close()
        if owner == os.getpid():
            process.wait()

    def run(self, words, message, timeout):
        pipes = [os.pipe(), os.pipe()]
        socket.send_fds(self.link, [message], [write for _, write in pipes])
        for _, write in pipes:
            os.close(write)
        end = None if timeout is None else time.monotonic() + timeout
        texts = self.read([read for read, _ in pipes], end)
        if texts is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            raise subprocess.TimeoutExpired(words, timeout)
        answer = self.link.recv(4)
        if not answer:
            raise RuntimeError(f"the server of {words} has died")
        code = os.waitstatus_to_exitcode(int.from_bytes(answer, "little"))
        return code, *texts

    @staticmethod
    def read(sources, end):
        """What comes from each until it is closed; None if it is not in time."""
        texts = {source: [] for source in sources}
        with selectors.DefaultSelector() as selector:
            for source in sources:
                selector.register(source, selectors.EVENT_READ)
            while selector.get_map():
                ready = selector.select(None if end is None else max(0, end - time.monotonic()))
                if not ready:
                    break
                for key, _ in ready:
                    data = os.read(key.fd, 1 << 16)
                    texts[key.fd].append(data)
                    if not data:
                        selector.unregister(key.fd)
            late = bool(selector.get_map())
        for source in sources:
            os.close(source)
        return None if late else [b"".join(texts[source]) for source in sources]


own = threading.local()


def server(program):
    known = getattr(own, "server", None)
    # A forked process must not share the socket of its parent.
    if known is None or known.owner != os.getpid() or known.process.poll() is not None:
        own.server = Server(program)
    return own.server


def as_text(data):
    return io.TextIOWrapper(io.BytesIO(data)).read()


def run(words, **options):
    program, words = os.environ.get("REPRISE_SERVED"), [os.fspath(word) for word in words]
    environment = options.get("env") or os.environ
    cwd = os.path.abspath(options.get("cwd") or ".")
    fields = [str(len(words)), cwd, *words, *(f"{name}={value}" for name, value in environment.items())]
    message = b"".join(os.fsencode(field) + b"\0" for field in fields)
    if not program or not options.get("capture_output") or options.keys() - OPTIONS or len(message) > MESSAGE_MAX:
        return subprocess.run(words, **options)
    code, out, err = server(program).run(words, message, options.get("timeout"))
    if options.get("text"):
        out, err = as_text(out), as_text(err)
    done = subprocess.CompletedProcess(words, code, out, err)
    if options.get("check"):
        done.check_returncode()
    return done
