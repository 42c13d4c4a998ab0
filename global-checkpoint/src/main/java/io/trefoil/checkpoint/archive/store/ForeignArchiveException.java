/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.store;

import java.io.IOException;

/** Thrown when a directory is the archive of another journal or namespace; trying again does not help. */
public final class ForeignArchiveException extends IOException {

    private static final long serialVersionUID = 1L;

    ForeignArchiveException(String message) {
        super(message);
    }
}
