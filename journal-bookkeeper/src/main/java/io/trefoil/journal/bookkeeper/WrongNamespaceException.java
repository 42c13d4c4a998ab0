/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import java.io.IOException;

/** Thrown if a journal belongs to another namespace, which waiting does not change. */
final class WrongNamespaceException extends IOException {
    private static final long serialVersionUID = 1L;

    WrongNamespaceException(String message) {
        super(message);
    }
}
