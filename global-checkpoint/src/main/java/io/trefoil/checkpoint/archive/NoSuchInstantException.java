/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

/** Thrown when the archive lacks the requested instant; the text names the instants it has. */
public final class NoSuchInstantException extends Exception {

    private static final long serialVersionUID = 1L;

    public NoSuchInstantException(String message) {
        super(message);
    }
}
