/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** Which code a search on disk is made with: the numbers of parts mean something else to another one, and what was visited may, too. */
public final class CodeVersion {

    private CodeVersion() {}

    /** A checksum of all that is beside these classes, in their directories or jars. */
    public static String of(Class<?>... classes) throws IOException {
        CRC32C sum = new CRC32C();
        for (Class<?> each : classes) {
            try (Stream<Path> files = Files.walk(codeOf(each))) {
                List<Path> code = files.filter(Files::isRegularFile).sorted().toList();
                for (Path file : code) {
                    sum.update(Files.readAllBytes(file));
                }
            }
        }
        return Long.toHexString(sum.getValue());
    }

    private static Path codeOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
