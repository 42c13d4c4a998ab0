/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.promote;

import io.trefoil.journal.model.Incarnation;
import java.io.IOException;
import java.nio.file.Path;

/** A name directory cannot record which incarnation of the journal its namespace is made from, so it must not be used. */
public final class UnmarkedDirectoryException extends IOException {
    private static final long serialVersionUID = 1L;

    UnmarkedDirectoryException(Path currentDirectory, Incarnation incarnation, IOException cause) {
        super(
                "Cannot mark " + currentDirectory + " as made from incarnation " + incarnation + " of the journal: "
                        + cause.getMessage() + "; check that disk and the owner of that directory, and repeat this",
                cause);
    }
}
