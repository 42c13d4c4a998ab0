/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.client;

import com.google.auto.value.AutoValue;
import java.time.Duration;

/** The timeouts of a {@link NettyTransport}. Immutable. */
@AutoValue
abstract class LinkSettings {

    private static final int MEBIBYTE = 1024 * 1024;

    /**
     * A kernel repeats the first packet of a connection after a second, and then after two more: beginning again is
     * sooner at a node whose network is back.
     */
    static final LinkSettings USUAL =
            of(Duration.ofSeconds(1), Duration.ofSeconds(5), 64 * MEBIBYTE).withPatience(Duration.ofSeconds(5));

    /** Settings for requests that must not arrive after their sender has given them up. */
    static final LinkSettings TAKING_BACK = USUAL.takingBack();

    /** The treatment, when this side ends a connection, of the bytes that the node has not received. */
    enum CloseMode {
        /** Lets the kernel go on sending the bytes, for minutes if the network is cut: what they ask for does no harm later. */
        DELIVER,
        /** Discards the bytes, and resets the connection. What is on its way in the network may still arrive. */
        TAKE_BACK
    }

    static LinkSettings of(Duration connectTimeout, Duration handshakeTimeout, int maxUnsentBytes) {
        return new AutoValue_LinkSettings(
                connectTimeout, handshakeTimeout, maxUnsentBytes, Duration.ofHours(1), CloseMode.DELIVER);
    }

    private LinkSettings takingBack() {
        return new AutoValue_LinkSettings(
                connectTimeout(), handshakeTimeout(), maxUnsentBytes(), patience(), CloseMode.TAKE_BACK);
    }

    /** A copy with another patience. */
    LinkSettings withPatience(Duration patience) {
        return new AutoValue_LinkSettings(connectTimeout(), handshakeTimeout(), maxUnsentBytes(), patience, atEnd());
    }

    abstract Duration connectTimeout();

    /** The time from connecting to the answer to the Hello. */
    abstract Duration handshakeTimeout();

    /**
     * A link with more bytes than this that the node has not taken is broken off: the node catches up later from the
     * log, which costs no memory. One more message, however large, may exceed this.
     */
    abstract int maxUnsentBytes();

    /** The time for which a node may owe an answer without a word; then it is probed over a new connection. */
    abstract Duration patience();

    abstract CloseMode atEnd();
}
