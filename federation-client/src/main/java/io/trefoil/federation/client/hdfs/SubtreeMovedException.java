/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs;

import java.io.IOException;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A NameNode was asked for something in a subtree that belongs to another nameservice by a newer version of the table.
 * Nothing was executed. The message says which nameservice and version, and what to do.
 */
public final class SubtreeMovedException extends IOException {
    private static final long serialVersionUID = 1L;

    private static final String SINCE = " since version ";
    private static final String OF_TABLE = " of the table of subtrees: ";

    /** Hadoop sends the text of an exception alone, so that is where the version is. */
    private static final Pattern VERSION = Pattern.compile(SINCE + "([0-9]{1,9})" + OF_TABLE);

    /** The constructor by which Hadoop's clients build an exception that a server sent. */
    public SubtreeMovedException(String message) {
        super(message);
    }

    /**
     * @param folder of the subtree
     * @param owner the nameservice that has it
     * @param version of the table that says so
     */
    public static SubtreeMovedException of(String folder, String owner, int version) {
        return new SubtreeMovedException(folder + " belongs to nameservice " + owner + SINCE + version + OF_TABLE
                + "it is hdfs://" + owner + folder
                + " now; a client that has read an older table must be restarted");
    }

    /** The version of the table that gave the subtree away; empty if the message does not say. */
    OptionalInt version() {
        Matcher found = VERSION.matcher(String.valueOf(getMessage()));
        return found.find() ? OptionalInt.of(Integer.parseInt(found.group(1))) : OptionalInt.empty();
    }
}
