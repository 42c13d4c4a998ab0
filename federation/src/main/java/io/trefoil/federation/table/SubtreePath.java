/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.table;

import com.google.auto.value.AutoValue;
import io.trefoil.federation.marks.NormalizedPath;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.List;

/** The absolute path of a subtree in normal form, identical in every nameservice. Immutable. */
@AutoValue
public abstract class SubtreePath implements Comparable<SubtreePath> {

    /**
     * The forbidden characters: Hadoop's configuration files expand the first, the second and third have a meaning in URIs, and the last is
     * impossible in HDFS paths.
     */
    private static final String NOT_IN_A_PATH = "$%\\:";

    /** The directory in which each nameservice keeps its parts of the hashed directories. */
    private static final String HASHED = "/.trefoil/hashed";

    /** The directory in which each nameservice keeps the data that renames in hashed directories need. */
    private static final String RENAMES = "/.trefoil/renames";

    private static final SubtreePath ROOT = new AutoValue_SubtreePath("/");

    /** Returns the path of the whole namespace. */
    public static SubtreePath root() {
        return ROOT;
    }

    /** Returns the directories below which each nameservice keeps the data of hashed directories. */
    public static List<SubtreePath> hashedRoots() {
        return Arrays.asList(new AutoValue_SubtreePath(HASHED), new AutoValue_SubtreePath(RENAMES));
    }

    /** @throws IllegalArgumentException if it is not absolute, not normal, or contains a character that no table can hold */
    public static SubtreePath parse(String text) {
        if (text.equals("/")) {
            return ROOT;
        }
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("Wanted an absolute path, as /user/alice, found '" + text + "'");
        }
        for (String name : text.substring(1).split("/", -1)) {
            if (name.isEmpty() || name.equals(".") || name.equals("..")) {
                throw new IllegalArgumentException(
                        "Wanted a path without empty names, '.', '..' and a '/' at its end, found '" + text + "'");
            }
        }
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character <= ' '
                    || Character.isISOControl(character)
                    || Character.isWhitespace(character)
                    || NOT_IN_A_PATH.indexOf(character) >= 0) {
                throw new IllegalArgumentException(
                        "The path of a subtree has no blanks and none of " + NOT_IN_A_PATH + ", found '" + text + "'");
            }
        }
        if (!isValidXml(text)) {
            throw new IllegalArgumentException(
                    "The table is XML, which cannot hold every character of the path, found '" + text + "'");
        }
        if (text.equals("/.reserved") || text.startsWith("/.reserved/")) {
            throw new IllegalArgumentException(
                    "HDFS keeps /.reserved for itself in every nameservice, found '" + text + "'");
        }
        return new AutoValue_SubtreePath(text);
    }

    /**
     * Whether a text consists of valid XML characters: a table with any others could not be read. Other control characters are
     * in no path anyhow.
     */
    private static boolean isValidXml(String text) {
        return text.codePoints()
                .allMatch(character -> character < Character.MIN_SURROGATE
                        || (character > Character.MAX_SURROGATE && character < 0xFFFE)
                        || character > 0xFFFF);
    }

    public abstract String text();

    /**
     * Whether the path is unchanged in a URI, which is how Hadoop's clients treat the target of a mount. A table that has
     * another path is still read, so that its entry can be removed.
     */
    public final boolean isUnchangedInUri() {
        try {
            return text().equals(new URI("hdfs://a" + text()).getRawPath());
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** The number of names in the path. */
    public final int depth() {
        return isRoot() ? 0 : text().split("/", -1).length - 1;
    }

    /** Whether the path equals another one, or is below it. */
    public final boolean isWithin(SubtreePath other) {
        return NormalizedPath.contains(other.text(), text());
    }

    public final boolean isRoot() {
        return text().equals("/");
    }

    /** The path at which each of its nameservices has its part, if this is a hashed directory. */
    public final SubtreePath partPath() {
        return new AutoValue_SubtreePath(HASHED + text());
    }

    /** The path at which each of its nameservices keeps the data that renames need, if this is a hashed directory. */
    public final SubtreePath renamesPath() {
        return new AutoValue_SubtreePath(RENAMES + text());
    }

    /** The path of the directory that contains this one. */
    public final SubtreePath parent() {
        int end = text().lastIndexOf('/');
        return end <= 0 ? ROOT : new AutoValue_SubtreePath(text().substring(0, end));
    }

    @Override
    public final int compareTo(SubtreePath other) {
        return text().compareTo(other.text());
    }

    @Override
    public final String toString() {
        return text();
    }
}
