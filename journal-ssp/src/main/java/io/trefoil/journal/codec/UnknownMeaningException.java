/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.codec;

/**
 * The checksum is right and yet the bytes mean nothing to this version: a newer version wrote them. They are not
 * damaged and must not be treated so.
 */
public final class UnknownMeaningException extends MalformedBytesException {

    private static final long serialVersionUID = 1L;

    public UnknownMeaningException(String message, Throwable cause) {
        super(message, cause);
    }
}
