/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Describes where a namespace of the past is while a command uses it. */
final class WorkDirectoryOptions {

    @Option(
            names = "--work",
            required = true,
            paramLabel = "DIR",
            description =
                    "A directory of this host with room for two images and the edits in between, which are deleted afterwards.")
    private Path directory;

    Path directory() {
        return directory;
    }
}
