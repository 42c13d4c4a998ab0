/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.connection;

import io.netty.channel.Channel;
import io.trefoil.journal.transport.authentication.Protection;

/** Puts the protection that both sides agreed on between a connection and its frames. */
public final class Protections {

    private Protections() {}

    /** From the next byte on, in both directions. Called on the connection's loop. */
    public static void add(Channel channel, Protection protection) {
        addSilent(channel, protection);
        expectPieces(channel);
    }

    /** The same, and a byte that comes before {@link #expectPieces} is a fault. */
    public static void addSilent(Channel channel, Protection protection) {
        channel.pipeline().addFirst(new UnwrappingDecoder(protection), new WrappingEncoder(protection));
    }

    /** What is protected may come; a connection without protection stays as it is. Called on the connection's loop. */
    public static void expectPieces(Channel channel) {
        UnwrappingDecoder unwrapping = channel.pipeline().get(UnwrappingDecoder.class);
        if (unwrapping != null) {
            unwrapping.expectPieces();
        }
    }
}
