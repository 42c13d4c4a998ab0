/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.marks;

import com.google.auto.value.AutoValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The mark of a subtree that belongs to another nameservice: an extended attribute of the sealed directory that stays on the old owner. The
 * table is the truth; the mark lets a NameNode say what it knows of it. Immutable.
 */
@AutoValue
public abstract class MovedMark {
    /** The attribute's name. */
    public static final String NAME = "trusted.trefoil.moved";

    /**
     * The prefix of the names of those attributes of the root that list directories with a possible mark: a NameNode need not search for
     * them. A directory that is in none of them is answered as by stock HDFS; one that is, and has no mark, does no harm.
     *
     * <p>An attribute is never replaced. A process that changes the list makes another attribute with everything it has read, and then
     * removes the attributes it has read: HDFS compares nothing when it replaces an attribute, and of two at the same time one would
     * lose what the other has added.
     */
    public static final String DIRECTORIES = "trusted.trefoil.moved-folders";

    private static final Pattern VALUE = Pattern.compile("(\\S+) ([0-9]{1,9})");

    /**
     * @param owner the new owner, a nameservice
     * @param version of the table that made it the owner
     */
    public static MovedMark of(String owner, int version) {
        return new AutoValue_MovedMark(owner, version);
    }

    /** @throws IllegalArgumentException if this is no such value; the text says what it is */
    public static MovedMark parse(byte[] value) {
        String text = new String(value, StandardCharsets.UTF_8);
        Matcher parts = VALUE.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("Wanted " + NAME + " = 'NAMESERVICE VERSION', found '" + text + "'");
        }
        return of(parts.group(1), Integer.parseInt(parts.group(2)));
    }

    /**
     * The name of an attribute that lists directories.
     *
     * @param unique that no other one has, nor had
     */
    public static String directoriesAttributeName(String unique) {
        return DIRECTORIES + "." + unique;
    }

    /** Whether an attribute of this name lists directories. There may be one without a unique part, of an earlier release. */
    public static boolean isDirectoriesAttribute(String name) {
        return name.equals(DIRECTORIES) || name.startsWith(DIRECTORIES + ".");
    }

    /** The directories in a value of such an attribute. */
    public static Set<String> decodeDirectories(byte[] value) {
        Set<String> directories =
                new TreeSet<>(Arrays.asList(new String(value, StandardCharsets.UTF_8).split("\n", -1)));
        directories.remove("");
        return directories;
    }

    /** The value of such an attribute. */
    public static byte[] encodeDirectories(Set<String> directories) {
        return String.join("\n", directories).getBytes(StandardCharsets.UTF_8);
    }

    public abstract String owner();

    public abstract int version();

    /** The attribute's value. */
    public final byte[] value() {
        return (owner() + " " + version()).getBytes(StandardCharsets.UTF_8);
    }
}
