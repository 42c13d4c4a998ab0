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
     * The usual settings, with a short timeout for connecting: a kernel resends the first packet after one second, then after two more; starting over reaches
     * a node sooner when its network is back.
     */
    static final LinkSettings USUAL =
            of(Duration.ofSeconds(1), Duration.ofSeconds(5), 64 * MEBIBYTE).withSilenceTimeout(Duration.ofSeconds(5));

    /** Settings for requests that must not arrive after their sender has given up on them. */
    static final LinkSettings TAKING_BACK = USUAL.withTakeBack();

    /** The treatment of bytes that the node has not received when this side ends a connection. */
    enum CloseMode {
        /**
         * Lets the kernel continue sending the bytes, for minutes if the network is cut: these requests do no harm when they arrive late.
         */
        DELIVER,
        /** Discards the bytes, and resets the connection. What is on its way in the network may still arrive. */
        TAKE_BACK
    }

    static LinkSettings of(Duration connectTimeout, Duration handshakeTimeout, int maxUnsentBytes) {
        return new AutoValue_LinkSettings(
                connectTimeout, handshakeTimeout, maxUnsentBytes, Duration.ofHours(1), CloseMode.DELIVER);
    }

    private LinkSettings withTakeBack() {
        return new AutoValue_LinkSettings(
                connectTimeout(), handshakeTimeout(), maxUnsentBytes(), silenceTimeout(), CloseMode.TAKE_BACK);
    }

    /** A copy with another timeout. */
    LinkSettings withSilenceTimeout(Duration timeout) {
        return new AutoValue_LinkSettings(connectTimeout(), handshakeTimeout(), maxUnsentBytes(), timeout, closeMode());
    }

    abstract Duration connectTimeout();

    /** The time from connecting to the answer to the Hello. */
    abstract Duration handshakeTimeout();

    /**
     * The limit of bytes that the node has not taken, above which a link is closed: the node catches up later from the log, which costs no
     * memory. One more message, however large, may exceed this.
     */
    abstract int maxUnsentBytes();

    /** The time for which a node may owe an answer without sending anything; then it is probed over a new connection. */
    abstract Duration silenceTimeout();

    abstract CloseMode closeMode();
}
