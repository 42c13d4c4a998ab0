/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** The nodes that a writer knows, in the order of their first mention. Immutable. */
final class Peers implements Iterable<Peer> {

    private final List<Peer> list;

    private Peers(List<Peer> list) {
        this.list = list;
    }

    static Peers at(List<NodeAddress> addresses) {
        List<Peer> list = new ArrayList<>();
        for (NodeAddress address : addresses) {
            list.add(Peer.unknown(address));
        }
        return new Peers(list);
    }

    @Override
    public Iterator<Peer> iterator() {
        return Collections.unmodifiableList(list).iterator();
    }

    Peer at(NodeAddress address) {
        for (Peer peer : list) {
            if (peer.address().equals(address)) {
                return peer;
            }
        }
        return Peer.unknown(address);
    }

    Optional<Peer> of(NodeId node) {
        for (Peer peer : list) {
            if (peer.node().isPresent() && peer.node().get().equals(node)) {
                return Optional.of(peer);
            }
        }
        return Optional.empty();
    }

    /** These peers with one in another state; a new one is added at the end. */
    Peers with(Peer changed) {
        List<Peer> next = new ArrayList<>(list.size() + 1);
        boolean found = false;
        for (Peer peer : list) {
            boolean same = peer.address().equals(changed.address());
            next.add(same ? changed : peer);
            found |= same;
        }
        if (!found) {
            next.add(changed);
        }
        return new Peers(next);
    }

    @Override
    public String toString() {
        return list.toString();
    }
}
