/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.codec;

/** A decoded message, with the number that matches an answer to its request. Immutable. */
public final class WireFrame {

    /** Length, version, type and request id. */
    public static final int HEADER_LENGTH = 14;
    /** The size of the length field, which does not count itself. */
    public static final int LENGTH_FIELD = 4;
    /** The form of Hello, Welcome and Refusal, which both sides must read before they agree on a version. */
    public static final byte HANDSHAKE_VERSION = 0;
    /** The form of everything after the handshake, the same in all versions so far. */
    public static final byte VERSION = 1;

    /** The largest greeting, in bytes, where callers are known by their addresses: an unknown caller cannot make a node buffer more. */
    public static final int MAX_HELLO_LENGTH = 4 * 1024;
    /** The largest greeting where callers authenticate: the tickets of users in many groups have tens of kilobytes. */
    public static final int MAX_PROOF_LENGTH = 72 * 1024;
    /** A node may send more than its caller: a refusal carries a message. */
    public static final int MAX_WELCOME_LENGTH = 64 * 1024;
    /** Readers' requests are short; the longest is a format with the first entries of a journal. */
    public static final int MAX_READER_REQUEST_LENGTH = 4 * 1024 * 1024;
    /** The maximum length: 64 MiB of entries, and the fields around them. */
    public static final int MAX_LENGTH = 68 * 1024 * 1024;

    private final long requestId;
    private final Object message;
    private final int length;

    public WireFrame(long requestId, Object message, int length) {
        this.requestId = requestId;
        this.message = message;
        this.length = length;
    }

    public long requestId() {
        return requestId;
    }

    public Object message() {
        return message;
    }

    /** The length of the frame on the wire, in bytes. */
    public int length() {
        return length;
    }
}
