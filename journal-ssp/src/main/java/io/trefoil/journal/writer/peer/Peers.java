/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.peer;

import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.writer.events.AddressSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** The nodes known to a writer, in the order in which they were first named. Immutable. */
public final class Peers implements Iterable<Peer> {

    private final List<Peer> list;
    /** The voters, computed when they are first needed. */
    private Voters voters;

    private Peers(List<Peer> list, Voters voters) {
        this.list = list;
        this.voters = voters;
    }

    public static Peers create(List<NodeAddress> addresses, AddressSource source) {
        List<Peer> list = new ArrayList<>();
        for (NodeAddress address : addresses) {
            list.add(Peer.unknown(address).toBuilder()
                    .invited(source == AddressSource.JOURNAL_URI)
                    .index(list.size())
                    .build());
        }
        return new Peers(list, Voters.UNKNOWN);
    }

    public int size() {
        return list.size();
    }

    /** The peer at a place, from 0; it stays there in all copies. */
    public Peer get(int index) {
        return list.get(index);
    }

    @Override
    public Iterator<Peer> iterator() {
        return Collections.unmodifiableList(list).iterator();
    }

    public Peer findByAddress(NodeAddress address) {
        for (Peer peer : list) {
            if (peer.address().equals(address)) {
                return peer;
            }
        }
        return Peer.unknown(address);
    }

    /** The newest state of one of these peers. */
    public Peer current(Peer peer) {
        return isAtItsIndex(peer) ? list.get(peer.index()) : findByAddress(peer.address());
    }

    private boolean isAtItsIndex(Peer peer) {
        int index = peer.index();
        return index < list.size() && list.get(index).address().equals(peer.address());
    }

    public boolean contains(NodeAddress address) {
        return list.stream().anyMatch(peer -> peer.address().equals(address));
    }

    /**
     * The peer that has this node's storage, ignoring misplaced ones. Of several, one with a session: storage may have
     * moved to another host.
     */
    public Optional<Peer> findByNode(NodeId node) {
        Optional<NodeId> wanted = Optional.of(node);
        Optional<Peer> match = Optional.empty();
        for (Peer peer : list) {
            if (peer.node().equals(wanted) && !peer.misplaced()) {
                if (peer.connected()) {
                    return Optional.of(peer);
                }
                match = match.isPresent() ? match : Optional.of(peer);
            }
        }
        return match;
    }

    /** A copy updated with the data of these members. */
    public Peers withMembers(Members members) {
        List<Peer> next = new ArrayList<>(list.size());
        for (Peer peer : list) {
            next.add(peer.withMembers(members));
        }
        return new Peers(next, Voters.UNKNOWN);
    }

    /** Returns the places of the voters among these members. */
    Voters voters(Members members) {
        if (!voters.isSameAs(members)) {
            voters = Voters.of(members, this);
        }
        return voters;
    }

    /** Whether observers next to any of them want to answer reads. */
    public boolean isAnyWatched() {
        for (Peer peer : list) {
            if (peer.readerLagCheck().isWatched()) {
                return true;
            }
        }
        return false;
    }

    /** A copy for when a majority has all entries up to {@code majoritySn}: nodes that are read from should have them soon. */
    public Peers withPacedReaders(long majoritySn, long nowNanos) {
        Peers next = this;
        for (Peer peer : list) {
            ReaderLagCheck pace = peer.readerLagCheck().isWatched()
                    ? peer.readerLagCheck().withMajoritySn(majoritySn, peer, nowNanos)
                    : peer.readerLagCheck();
            next = pace.equals(peer.readerLagCheck())
                    ? next
                    : next.with(peer.toBuilder().readerLagCheck(pace).build());
        }
        return next;
    }

    /**
     * A copy with one peer replaced, updated with the data of these members; a new one is added at the end. They must be the members of
     * the last {@link #withMembers}: a peer that has not changed in what matters to them is seen as it was.
     */
    public Peers with(Peer changedPeer, Members members) {
        int index = indexOf(changedPeer);
        if (index < list.size()) {
            Peer before = list.get(index);
            if (before.hasSameMembershipAs(changedPeer)) {
                return with(
                        changedPeer, index, before.connected() == changedPeer.connected() ? voters : Voters.UNKNOWN);
            }
        }
        return with(changedPeer.withMembers(members), index, Voters.UNKNOWN);
    }

    /** A copy with one peer replaced, unchanged; a new one is added at the end. */
    public Peers with(Peer changedPeer) {
        return with(changedPeer, indexOf(changedPeer), Voters.UNKNOWN);
    }

    private Peers with(Peer changedPeer, int index, Voters keptVoters) {
        Peer placed = changedPeer.index() == index ? changedPeer : changedPeer.withIndex(index);
        List<Peer> next = new ArrayList<>(list.size() + 1);
        next.addAll(list);
        if (index == list.size()) {
            next.add(placed);
        } else {
            next.set(index, placed);
        }
        return new Peers(next, keptVoters);
    }

    /** The index of a peer; the one after the last if there is none at its address yet. */
    private int indexOf(Peer peer) {
        if (isAtItsIndex(peer)) {
            return peer.index();
        }
        for (Peer known : list) {
            if (known.address().equals(peer.address())) {
                return known.index();
            }
        }
        return list.size();
    }

    @Override
    public String toString() {
        return list.toString();
    }
}
