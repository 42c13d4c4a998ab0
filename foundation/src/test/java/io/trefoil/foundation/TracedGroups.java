/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the groups of a {@link TraceFile}. */
public final class TracedGroups {

    private TracedGroups() {}

    /** All groups but the last, if that is not whole: its process was killed. */
    public static List<byte[]> of(Path file) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(Files.readAllBytes(file));
        List<byte[]> groups = new ArrayList<>();
        while (rest.remaining() >= Integer.BYTES) {
            int length = rest.getInt();
            if (length > rest.remaining()) {
                break;
            }
            byte[] group = new byte[length];
            rest.get(group);
            groups.add(group);
        }
        return groups;
    }
}
