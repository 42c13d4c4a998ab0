/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.connection;

import io.netty.channel.Channel;
import io.trefoil.journal.transport.authentication.Protection;

/** Installs the agreed protection between a connection and its frames. */
public final class Protections {

    private Protections() {}

    /** Protects everything from the next byte on, in both directions. Called on the connection's loop. */
    public static void add(Channel channel, Protection protection) {
        addProtection(channel, protection);
        expectPieces(channel);
    }

    /** Protects everything from the next byte on; any byte that arrives before {@link #expectPieces} is a fault. */
    public static void addProtection(Channel channel, Protection protection) {
        channel.pipeline().addFirst(new UnwrappingDecoder(protection), new WrappingEncoder(protection));
    }

    /** Allows protected pieces to arrive; does nothing without protection. Called on the connection's loop. */
    public static void expectPieces(Channel channel) {
        UnwrappingDecoder unwrapping = channel.pipeline().get(UnwrappingDecoder.class);
        if (unwrapping != null) {
            unwrapping.expectPieces();
        }
    }
}
