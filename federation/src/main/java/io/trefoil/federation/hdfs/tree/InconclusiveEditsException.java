/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.tree;

import java.io.IOException;

/** Thrown when edits do not prove the state of a tree; the message says why. The tree has to be read in full. */
final class InconclusiveEditsException extends IOException {

    private static final long serialVersionUID = 1;

    InconclusiveEditsException(String reason) {
        super(reason);
    }
}
