/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.promote;

import java.io.IOException;

/**
 * The namespace of this host's NameNode may have transactions that the journal lost in a promotion, so it cannot be
 * used further.
 */
public final class VoidNamespaceException extends IOException {
    private static final long serialVersionUID = 1L;

    VoidNamespaceException(String message) {
        super(message);
    }
}
