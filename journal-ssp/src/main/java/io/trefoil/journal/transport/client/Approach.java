/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.client;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.authentication.Dialogue;
import java.io.IOException;
import java.net.InetSocketAddress;

/** What a caller has ready when it begins to connect: where the node is, and the first words that prove who calls. */
final class Approach {
    private final InetSocketAddress address;
    private final String mechanism;
    private final Dialogue dialogue;
    private final Bytes first;

    private Approach(InetSocketAddress address, String mechanism, Dialogue dialogue, Bytes first) {
        this.address = address;
        this.mechanism = mechanism;
        this.dialogue = dialogue;
        this.first = first;
    }

    /** May block, for a KDC for instance. */
    static Approach begin(InetSocketAddress address, Authentication authentication) throws IOException {
        Dialogue dialogue = authentication.call(address.getAddress());
        return new Approach(address, authentication.mechanism(), dialogue, dialogue.hear(Bytes.EMPTY));
    }

    InetSocketAddress address() {
        return address;
    }

    Dialogue dialogue() {
        return dialogue;
    }

    Hello say(Hello hello) {
        return isProved() ? hello.proving(mechanism, first) : hello;
    }

    /** Whether the node has to show, too, who it is. */
    boolean isProved() {
        return !mechanism.equals(Hello.NO_AUTHENTICATION);
    }
}
