/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.demo;

import io.trefoil.it.process.Shell;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.List;

/**
 * The commands that are typed in a shell and executed by this JVM, which prints on the same terminal: {@code demo WORD...} in the shell is
 * sent through a named pipe, and returns when it is done.
 */
final class DemoCommands implements AutoCloseable {
    /** The order to stop, which cannot be typed, as it contains no name of a pipe for the answer. */
    private static final String END = "";

    private final Path pipe;
    private final RandomAccessFile orders;

    private DemoCommands(Path pipe) throws IOException {
        this.pipe = pipe;
        orders = open(pipe);
    }

    /** @param directory of the pipes */
    static DemoCommands createIn(Path directory) throws IOException {
        Path pipe = directory.resolve("orders");
        Shell.run("mkfifo -m 600 '%s'".formatted(pipe));
        return new DemoCommands(pipe);
    }

    /** Opens a pipe for reading and writing: otherwise it would wait for the other end, which may be gone. */
    private static RandomAccessFile open(Path pipe) throws IOException {
        return new RandomAccessFile(pipe.toFile(), "rw");
    }

    /** The function {@code demo} of the shell. */
    String function() {
        return """
                demo() {
                  local answer="%1$s.$BASHPID.$RANDOM" answers result=''
                  mkfifo -m 600 "$answer" || return
                  # Ctrl-C would not stop what is done here.
                  trap '' INT
                  exec {answers}<>"$answer"
                  printf '%%s\\n' "$answer $*" > '%1$s'
                  # Nobody answers any more if the demo was killed.
                  until read -r -t 1 -u "$answers" result; do
                    builtin kill -0 %2$d 2>/dev/null || break
                  done
                  exec {answers}>&-
                  rm -f "$answer"
                  trap - INT
                  return "${result:-1}"
                }
                """
                .formatted(pipe, ProcessHandle.current().pid());
    }

    /** Executes orders, one after the other, until {@link #end}. */
    void processOrders(OrderHandler handler) throws IOException {
        for (String line = orders.readLine(); line != null && !line.equals(END); line = orders.readLine()) {
            List<String> arguments = List.of(line.trim().split("\\s+"));
            boolean done = handler.execute(arguments.subList(1, arguments.size()));
            try (RandomAccessFile answer = open(Path.of(arguments.get(0)))) {
                answer.write((done ? "0\n" : "1\n").getBytes(Charset.defaultCharset()));
            }
        }
    }

    /** The handler of commands. */
    interface OrderHandler {
        /** Executes an order; returns whether it was understood and done. */
        boolean execute(List<String> arguments);
    }

    /** Makes {@link #processOrders} return after the orders given before; may be called by any thread. */
    void end() {
        try (RandomAccessFile last = open(pipe)) {
            last.write((END + "\n").getBytes(Charset.defaultCharset()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        orders.close();
    }
}
