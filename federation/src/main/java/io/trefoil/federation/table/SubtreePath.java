/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.table;

import com.google.auto.value.AutoValue;
import io.trefoil.federation.marks.NormalizedPath;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.List;

/** The absolute path of a subtree in normal form, which is the same in every nameservice. Immutable. */
@AutoValue
public abstract class SubtreePath implements Comparable<SubtreePath> {

    /** Hadoop's configuration files expand the first, URIs give the second and third a meaning, and no HDFS path has the last. */
    private static final String NOT_IN_A_PATH = "$%\\:";

    /** The folder in which each nameservice keeps its parts of the hashed directories. */
    private static final String HASHED = "/.trefoil/hashed";

    /** The folder in which each nameservice keeps what renames in the hashed directories need. */
    private static final String RENAMES = "/.trefoil/renames";

    private static final SubtreePath ROOT = new AutoValue_SubtreePath("/");

    /** The whole namespace. */
    public static SubtreePath root() {
        return ROOT;
    }

    /** The directories below which each nameservice keeps what belongs to the hashed directories. */
    public static List<SubtreePath> ofHashed() {
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
            char one = text.charAt(i);
            if (one <= ' '
                    || Character.isISOControl(one)
                    || Character.isWhitespace(one)
                    || NOT_IN_A_PATH.indexOf(one) >= 0) {
                throw new IllegalArgumentException(
                        "The path of a subtree has no blanks and none of " + NOT_IN_A_PATH + ", found '" + text + "'");
            }
        }
        if (!isInXml(text)) {
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
     * Whether a text has only characters of XML: a table with any other could not be read. Other control characters are
     * in no path anyhow.
     */
    private static boolean isInXml(String text) {
        return text.codePoints()
                .allMatch(one -> one < Character.MIN_SURROGATE
                        || (one > Character.MAX_SURROGATE && one < 0xFFFE)
                        || one > 0xFFFF);
    }

    public abstract String text();

    /**
     * Whether the path is the same in a URI, which the target of a mount is to Hadoop's clients. A table that has
     * another path is still read, so that its entry can be removed.
     */
    public final boolean isSameInUri() {
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

    /** Whether the path equals the other one, or is below it. */
    public final boolean isWithin(SubtreePath other) {
        return NormalizedPath.contains(other.text(), text());
    }

    public final boolean isRoot() {
        return text().equals("/");
    }

    /** The path at which each of its nameservices has its part, if this is a hashed directory. */
    public final SubtreePath part() {
        return new AutoValue_SubtreePath(HASHED + text());
    }

    /** The path at which each of its nameservices keeps what renames need, if this is a hashed directory. */
    public final SubtreePath renames() {
        return new AutoValue_SubtreePath(RENAMES + text());
    }

    /** The path of the folder that contains this one. */
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
