/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records orders, with who gave them and their outcome: one line of {@code key=value} in the logger {@value #LOGGER}, which operators can
 * direct to a separate file.
 *
 * <p>Whatever a caller sends stays within its value: control characters, quotes and whatever else could begin another
 * value or another line are escaped, and long values are cut.
 *
 * <p>An order that takes time, or may end this process, is recorded before it is carried out, and again when its
 * outcome is known. Each place where orders arrive has its own instance, so that each counts its own. Thread-safe. A
 * dedicated thread writes the lines, and an order waits until its line is written. If the log's disk hangs, the order
 * waits only a second: that disk may be the reason for ordering a failover.
 */
public final class AuditLog {

    /** The name of the logger. */
    public static final String LOGGER = "io.trefoil.audit";

    /** The maximum length of a value, in characters; enough for any principal, and for the reason of a refusal. */
    static final int MAX_VALUE_LENGTH = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);

    /** The time within which a working disk writes a line. */
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final Consumer<String> lines;
    private final Duration timeout;
    private final LogThread thread = new LogThread("trefoil-audit");
    private final LongAdder done = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder failed = new LongAdder();

    /** The outcome of an order. */
    enum Outcome {
        BEGUN,
        DONE,
        REFUSED,
        FAILED
    }

    public AuditLog() {
        this(line -> LOG.info("{}", line));
    }

    /** @param lines writes one line */
    AuditLog(Consumer<String> lines) {
        this(lines, TIMEOUT);
    }

    /** @param timeout how long an order waits for its line */
    AuditLog(Consumer<String> lines, Duration timeout) {
        this.lines = lines;
        this.timeout = timeout;
    }

    /** The caller may give this order, and it is about to be carried out; its outcome is recorded later. */
    public void recordStart(AuditedOrder order) {
        write(order, Outcome.BEGUN, "");
    }

    /** The order was carried out. */
    public void recordSuccess(AuditedOrder order) {
        done.increment();
        write(order, Outcome.DONE, "");
    }

    /**
     * The order was not carried out, and nothing has changed.
     *
     * @param reason what the caller was told
     */
    public void recordRefusal(AuditedOrder order, String reason) {
        refused.increment();
        write(order, Outcome.REFUSED, reason);
    }

    /**
     * Records a refusal like {@link #recordRefusal}, but does not wait for the line, which is lost if too many are queued; for threads that
     * serve others.
     */
    public void recordRefusalWithoutWaiting(AuditedOrder order, String reason) {
        refused.increment();
        String line = formatLine(order, Outcome.REFUSED, reason);
        thread.write(() -> lines.accept(line));
    }

    /**
     * The order ended with an error, and may have changed something.
     *
     * @param reason what the caller was told
     */
    public void recordFailure(AuditedOrder order, String reason) {
        failed.increment();
        write(order, Outcome.FAILED, reason);
    }

    /** Returns the number of orders that were carried out since the process began. */
    public long countDone() {
        return done.sum();
    }

    /** Returns the number of orders that were refused since the process began. */
    public long countRefused() {
        return refused.sum();
    }

    /** Returns the number of orders that failed since the process began. */
    public long countFailed() {
        return failed.sum();
    }

    private void write(AuditedOrder order, Outcome outcome, String reason) {
        String line = formatLine(order, outcome, reason);
        thread.write(() -> lines.accept(line));
        thread.awaitWritten(timeout);
    }

    /** The line, without the logger's own time and level. */
    static String formatLine(AuditedOrder order, Outcome outcome, String reason) {
        StringBuilder line = new StringBuilder(200);
        append(line, "order", order.order());
        append(line, "object", order.object());
        append(line, "caller", order.caller());
        append(line, "address", order.address());
        append(line, "outcome", outcome.name().toLowerCase(Locale.ROOT));
        append(line, "reason", reason);
        return line.toString();
    }

    private static void append(StringBuilder line, String key, String value) {
        if (line.length() > 0) {
            line.append(' ');
        }
        line.append(key).append('=');
        if (isPlain(value)) {
            line.append(value);
        } else {
            line.append('"');
            quote(line, value);
            line.append('"');
        }
    }

    /** Whether a value can be read without quotes; an empty one cannot. */
    private static boolean isPlain(String value) {
        if (value.isEmpty() || value.length() > MAX_VALUE_LENGTH) {
            return false;
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean plain = c > ' ' && c < 127 && c != '"' && c != '\\' && c != '=';
            if (!plain) {
                return false;
            }
        }
        return true;
    }

    private static void quote(StringBuilder line, String value) {
        int end = Math.min(value.length(), MAX_VALUE_LENGTH);
        for (int i = 0; i < end; i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                line.append('\\').append(c);
            } else if (c < ' ' || c > 126) {
                // A terminal, or a program that reads the file, could take it for the end of a line or act on it.
                line.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                line.append(c);
            }
        }
        if (end < value.length()) {
            line.append("...");
        }
    }
}
