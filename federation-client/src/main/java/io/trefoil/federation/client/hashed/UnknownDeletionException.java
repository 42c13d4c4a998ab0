/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import java.io.IOException;

/**
 * Thrown when a directory and its parent are gone, so that it can no longer be determined whether the directory itself had been deleted
 * before.
 */
public final class UnknownDeletionException extends IOException {
    private static final long serialVersionUID = 1;

    UnknownDeletionException(String path) {
        super("The directory above " + path + " was deleted as well, by another client: it is unknown whether " + path
                + " was deleted before, but it does not exist any more");
    }
}
