/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.store;

import java.io.IOException;

/** Thrown when an object of the archive is damaged; reading it again does not help. */
public final class DamagedObjectException extends IOException {

    private static final long serialVersionUID = 1L;

    DamagedObjectException(String message) {
        super(message);
    }

    DamagedObjectException(String message, Throwable cause) {
        super(message, cause);
    }
}
