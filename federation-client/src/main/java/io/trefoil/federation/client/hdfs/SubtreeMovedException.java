/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs;

import java.io.IOException;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Thrown when a NameNode was asked for a path in a subtree that belongs to another nameservice in a newer version of
 * the table. Nothing was executed. The message says which nameservice and version, and what to do.
 */
public final class SubtreeMovedException extends IOException {
    private static final long serialVersionUID = 1L;

    private static final String VERSION_PREFIX = " since version ";
    private static final String VERSION_SUFFIX = " of the table of subtrees: ";

    /** The end of the message, which contains the version, as Hadoop sends only an exception's message. */
    private static final Pattern VERSION = Pattern.compile(VERSION_PREFIX + "([0-9]{1,9})" + VERSION_SUFFIX);

    /** The constructor by which Hadoop's clients build an exception that a server sent. */
    public SubtreeMovedException(String message) {
        super(message);
    }

    /**
     * @param directory of the subtree
     * @param owner the nameservice that has it
     * @param version of the table that says so
     */
    public static SubtreeMovedException of(String directory, String owner, int version) {
        return new SubtreeMovedException(
                directory + " belongs to nameservice " + owner + VERSION_PREFIX + version + VERSION_SUFFIX
                        + "it is hdfs://" + owner + directory
                        + " now; a client that has read an older table must be restarted");
    }

    /** The version of the table that handed the subtree over; empty if the message does not contain it. */
    OptionalInt version() {
        Matcher matcher = VERSION.matcher(String.valueOf(getMessage()));
        return matcher.find() ? OptionalInt.of(Integer.parseInt(matcher.group(1))) : OptionalInt.empty();
    }
}
