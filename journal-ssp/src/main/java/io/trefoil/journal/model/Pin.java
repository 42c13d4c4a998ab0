/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * A barrier that keeps transactions without belonging to a checkpoint, for a time or until it is released. An operator
 * pins a transaction to be able to restore to it; a NameNode that is being renewed pins what it is about to read.
 * Immutable.
 */
@AutoValue
public abstract class Pin {

    /** The beginning of every pin's name. A checkpoint's name contains a dot, so it is never taken for a pin's. */
    private static final String PREFIX = "pin-";

    private static final String OPERATOR = "operator";
    private static final String OWNER = "owner=";
    private static final String EXPIRY_PREFIX = "until=";
    private static final String NEVER = "never";

    /**
     * @param keepFrom the lowest transaction to keep: if there is an image, the one after it
     * @throws IllegalArgumentException as {@link Barrier#of}
     */
    public static Pin ofOperator(long txId, long keepFrom, Optional<Instant> expiry) {
        return of(OPERATOR, PREFIX + txId, Barrier.of(PREFIX + txId, txId, keepFrom, ""), expiry);
    }

    /**
     * Creates a pin that keeps the transactions a NameNode needs to continue from one that it has.
     *
     * @throws IllegalArgumentException as {@link Barrier#of}
     */
    public static Pin ofNameNode(String nameNode, long txId, Instant expiry) {
        String name = PREFIX + nameNode + "-" + txId;
        return of(nameNode, name, Barrier.of(name, txId, txId + 1, ""), Optional.of(expiry));
    }

    private static Pin of(String owner, String name, Barrier range, Optional<Instant> expiry) {
        String text = OWNER + owner + "\n" + EXPIRY_PREFIX
                + expiry.map(Instant::toString).orElse(NEVER) + "\n";
        return new AutoValue_Pin(owner, expiry, Barrier.of(name, range.txId(), range.keepFrom(), text));
    }

    /** Returns the barrier as a pin; empty if it is not one. */
    public static Optional<Pin> of(Barrier barrier) {
        String[] lines = barrier.text().split("\n", -1);
        boolean isPin = isPinName(barrier.name())
                && lines.length >= 2
                && lines[0].startsWith(OWNER)
                && lines[1].startsWith(EXPIRY_PREFIX);
        if (!isPin) {
            return Optional.empty();
        }
        String until = lines[1].substring(EXPIRY_PREFIX.length());
        try {
            return Optional.of(new AutoValue_Pin(
                    lines[0].substring(OWNER.length()),
                    until.equals(NEVER) ? Optional.<Instant>empty() : Optional.of(Instant.parse(until)),
                    barrier));
        } catch (DateTimeParseException e) {
            // Another component's barrier with such a name: it is not ours to release.
            return Optional.empty();
        }
    }

    /** Whether a barrier of this name is a pin, not a checkpoint. */
    public static boolean isPinName(String name) {
        return name.startsWith(PREFIX) && name.indexOf('.') < 0;
    }

    /** The NameNode that is being renewed, or "operator". */
    public abstract String owner();

    /** The time at which the pin is released at the latest, by the active's clock; empty if only its owner releases it. */
    public abstract Optional<Instant> expiry();

    /** The barrier that the journal keeps for this pin. */
    public abstract Barrier barrier();

    public final boolean isOwnedByOperator() {
        return owner().equals(OPERATOR);
    }

    public final boolean isExpired(Instant now) {
        return expiry().isPresent() && now.isAfter(expiry().get());
    }

    @Override
    public final String toString() {
        return barrier() + ", for " + owner() + ", until "
                + expiry().map(Instant::toString).orElse("it is released");
    }
}
