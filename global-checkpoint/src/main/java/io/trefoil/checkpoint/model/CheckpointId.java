/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.model;

import com.google.auto.value.AutoValue;
import java.util.regex.Pattern;

/**
 * Identifies one attempt at a checkpoint, and its barrier in every journal: a name and a serial that no other attempt
 * has, such as {@code nightly.7f3a9c12}. Immutable.
 *
 * <p>Because of the serial, barriers of two attempts under the same name are never mistaken for one checkpoint.
 */
@AutoValue
public abstract class CheckpointId implements Comparable<CheckpointId> {

    /** The pattern of a valid id: together with the serial it makes a barrier's name, which has at most 64 characters. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,54}");

    private static final Pattern SERIAL = Pattern.compile("[0-9a-f]{8}");

    /** @throws IllegalArgumentException if the name or the serial is not valid; the text says what is */
    public static CheckpointId of(String name, String serial) {
        checkName(name);
        if (!SERIAL.matcher(serial).matches()) {
            throw new IllegalArgumentException(
                    "The serial of a checkpoint has 8 hexadecimal digits, got '" + serial + "'");
        }
        return new AutoValue_CheckpointId(name, serial);
    }

    /** @throws IllegalArgumentException if this is not a valid name for a checkpoint */
    public static void checkName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("The name of a checkpoint has up to 55 letters, digits, '_' and '-', and"
                    + " does not begin with '_' or '-'; got '" + name + "'");
        }
    }

    /** Parses the result of {@link #toString}. */
    public static CheckpointId parse(String text) {
        int dot = text.indexOf('.');
        if (dot < 0) {
            throw new IllegalArgumentException("The id of a checkpoint is NAME.SERIAL, got '" + text + "'");
        }
        return of(text.substring(0, dot), text.substring(dot + 1));
    }

    public abstract String name();

    abstract String serial();

    @Override
    public final int compareTo(CheckpointId other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public final String toString() {
        return name() + "." + serial();
    }
}
