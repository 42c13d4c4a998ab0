/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Extracts a readable text about a failed call from the message of Hadoop's client. */
public final class RpcFailure {
    /**
     * The form of Hadoop's messages, which wrap the system's message in the names of caller and server, which are known, and in the address
     * of a wiki.
     */
    private static final Pattern WRAPPED = Pattern.compile(
            "Call From \\S+ to \\S+ failed on .*?exception: (?:[\\w.]+\\.(?=\\w+Exception: ))?(.*?)(?:; For more details see: .*)?");

    private RpcFailure() {}

    /** The first line of the message, without what surrounds it; a server's stack trace follows it. */
    public static String describe(IOException failure) {
        String text = String.valueOf(failure.getMessage());
        int end = text.indexOf('\n');
        String line = end < 0 ? text : text.substring(0, end);
        Matcher wrapped = WRAPPED.matcher(line);
        return wrapped.matches() ? wrapped.group(1) : line;
    }
}
