/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.codec;

import java.io.IOException;

/** Thrown when bytes are malformed: cut short, corrupted, or never written by us. */
public class MalformedBytesException extends IOException {

    private static final long serialVersionUID = 1L;

    public MalformedBytesException(String message) {
        super(message);
    }

    public MalformedBytesException(String message, Throwable cause) {
        super(message, cause);
    }
}
