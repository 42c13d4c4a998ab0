/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.marks;

import com.google.auto.value.AutoValue;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The mark of a subtree that is frozen for a move: an extended attribute of the root directory of the namespace, one for each move.
 *
 * <p>The root is the one directory that cannot be removed, renamed or forgotten, so a NameNode that has the namespace has the
 * marks. The mark names the subtree by its path, so it stays in force at that path whatever becomes of the directory. Immutable.
 */
@AutoValue
public abstract class FrozenMark {
    /** The directory that has the marks. */
    public static final String DIRECTORY = "/";

    /** The attribute's name, without the id of the move. */
    public static final String PREFIX = "trusted.trefoil.frozen.";

    private static final Pattern ID = Pattern.compile("[0-9A-Za-z-]{1,64}");
    private static final Pattern VALUE = Pattern.compile("([0-9]{1,18})( reads)? (/.+)");

    /**
     * @param move the move's id: letters, digits and hyphens, at most 64
     * @param path of the subtree, absolute and normalized, not the root
     * @param expiryMillis when the NameNode ends the freeze by itself, since 1970 by its clock
     */
    public static FrozenMark of(String move, String path, long expiryMillis) {
        if (!ID.matcher(move).matches()) {
            throw new IllegalArgumentException("Wanted the id of a move, found '" + move + "'");
        }
        if (!path.startsWith("/") || path.endsWith("/") || path.contains("//")) {
            throw new IllegalArgumentException("Wanted a normalized path, found '" + path + "'");
        }
        if (expiryMillis < 0) {
            throw new IllegalArgumentException("Wanted a time since 1970, found " + expiryMillis);
        }
        return new AutoValue_FrozenMark(move, path, expiryMillis, false);
    }

    /** @throws IllegalArgumentException if this is no such attribute; the text says what it is */
    public static FrozenMark parse(String name, byte[] value) {
        String text = new String(value, StandardCharsets.UTF_8);
        Matcher parts = VALUE.matcher(text);
        if (!name.startsWith(PREFIX) || !parts.matches()) {
            throw new IllegalArgumentException(
                    "Wanted " + PREFIX + "ID = 'MILLIS [reads ]PATH', found " + name + " = '" + text + "'");
        }
        FrozenMark mark = of(name.substring(PREFIX.length()), parts.group(3), Long.parseLong(parts.group(1)));
        return parts.group(2) == null ? mark : mark.withReads();
    }

    public abstract String move();

    public abstract String path();

    public abstract long expiryMillis();

    /** Whether calls that only read the subtree wait as well: its directory is closed to their callers. */
    public abstract boolean holdsReads();

    /** A copy of this mark with which reads wait as well. */
    public final FrozenMark withReads() {
        return new AutoValue_FrozenMark(move(), path(), expiryMillis(), true);
    }

    /** The attribute's name. */
    public final String name() {
        return PREFIX + move();
    }

    /** The attribute's value. */
    public final byte[] value() {
        return (expiryMillis() + (holdsReads() ? " reads " : " ") + path()).getBytes(StandardCharsets.UTF_8);
    }

    /** Whether a change of this path can change something in the subtree, because one contains the other. */
    public final boolean overlaps(String otherPath) {
        return NormalizedPath.contains(path(), otherPath) || NormalizedPath.contains(otherPath, path());
    }

    /** Whether a path equals that of the subtree, or is below it. */
    public final boolean contains(String otherPath) {
        return NormalizedPath.contains(path(), otherPath);
    }
}
