/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.datanode;

import java.io.IOException;

/** Thrown when a block cannot be linked in the present state; nothing was changed. */
final class LinkRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    LinkRefusedException(String message) {
        super(message);
    }
}
