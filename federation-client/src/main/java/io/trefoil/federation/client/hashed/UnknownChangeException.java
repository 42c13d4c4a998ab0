/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import java.io.IOException;

/** Thrown when it can no longer be determined whether a directory was changed before others renamed or deleted it. */
public final class UnknownChangeException extends IOException {
    private static final long serialVersionUID = 1;

    UnknownChangeException(String path) {
        super("Another client renamed or deleted the directory " + path
                + ", or what is above it, while this one changed it, or this one stood still for an hour: it is unknown whether it was"
                + " changed. If it is there, change it again");
    }
}
