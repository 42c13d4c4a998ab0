/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.codec;

/**
 * The checksum is right, but this version cannot interpret the bytes: a newer version wrote them. They are not damaged,
 * and must not be treated as if they were.
 */
public final class UnsupportedFormatException extends MalformedBytesException {

    private static final long serialVersionUID = 1L;

    public UnsupportedFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
