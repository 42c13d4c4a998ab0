/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

/** The archive does not have what was asked for; the text says what it has. */
public final class NoSuchInstantException extends Exception {

    private static final long serialVersionUID = 1L;

    public NoSuchInstantException(String message) {
        super(message);
    }
}
