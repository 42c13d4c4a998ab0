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

/** The nodes that a writer knows, in the order of their first mention. Immutable. */
public final class Peers implements Iterable<Peer> {

    private final List<Peer> list;
    /** Looked for when they are first asked for. */
    private Voters voters;

    private Peers(List<Peer> list, Voters voters) {
        this.list = list;
        this.voters = voters;
    }

    public static Peers at(List<NodeAddress> addresses, AddressSource source) {
        List<Peer> list = new ArrayList<>();
        for (NodeAddress address : addresses) {
            list.add(Peer.unknown(address).toBuilder()
                    .invited(source == AddressSource.JOURNAL_URI)
                    .place(list.size())
                    .build());
        }
        return new Peers(list, Voters.UNKNOWN);
    }

    public int size() {
        return list.size();
    }

    /** The peer at a place, from 0; it stays there in all copies. */
    public Peer get(int place) {
        return list.get(place);
    }

    @Override
    public Iterator<Peer> iterator() {
        return Collections.unmodifiableList(list).iterator();
    }

    public Peer at(NodeAddress address) {
        for (Peer peer : list) {
            if (peer.address().equals(address)) {
                return peer;
            }
        }
        return Peer.unknown(address);
    }

    /** The newest state of a peer that is one of these. */
    public Peer now(Peer peer) {
        return hasInItsPlace(peer) ? list.get(peer.place()) : at(peer.address());
    }

    private boolean hasInItsPlace(Peer peer) {
        int place = peer.place();
        return place < list.size() && list.get(place).address().equals(peer.address());
    }

    public boolean contains(NodeAddress address) {
        return list.stream().anyMatch(peer -> peer.address().equals(address));
    }

    /**
     * The peer that has this node's storage, without misplaced ones. Of several, one with a session: storage may have
     * moved to another host.
     */
    public Optional<Peer> of(NodeId node) {
        Optional<NodeId> wanted = Optional.of(node);
        Optional<Peer> found = Optional.empty();
        for (Peer peer : list) {
            if (peer.node().equals(wanted) && !peer.misplaced()) {
                if (peer.up()) {
                    return Optional.of(peer);
                }
                found = found.isPresent() ? found : Optional.of(peer);
            }
        }
        return found;
    }

    /** A copy as these members see the peers. */
    public Peers among(Members members) {
        List<Peer> next = new ArrayList<>(list.size());
        for (Peer peer : list) {
            next.add(peer.among(members));
        }
        return new Peers(next, Voters.UNKNOWN);
    }

    /** Where the voters among these members are. */
    Voters voters(Members members) {
        if (!voters.areOf(members)) {
            voters = Voters.of(members, this);
        }
        return voters;
    }

    /** Whether observers beside any of them want to answer reads. */
    public boolean isAnyWatched() {
        for (Peer peer : list) {
            if (peer.pace().isWatched()) {
                return true;
            }
        }
        return false;
    }

    /** A copy for when a majority has all entries up to {@code majoritySn}: nodes that are read from should have them soon. */
    public Peers withPacedReaders(long majoritySn, long nowNanos) {
        Peers next = this;
        for (Peer peer : list) {
            ReaderLagCheck pace = peer.pace().isWatched() ? peer.pace().at(majoritySn, peer, nowNanos) : peer.pace();
            next = pace.equals(peer.pace())
                    ? next
                    : next.with(peer.toBuilder().pace(pace).build());
        }
        return next;
    }

    /**
     * A copy with one peer replaced, as these members see it; a new one is added at the end. They must be the members of
     * the last {@link #among}: a peer that has not changed in what matters to them is seen as it was.
     */
    public Peers with(Peer changed, Members members) {
        int place = placeOf(changed);
        if (place < list.size()) {
            Peer before = list.get(place);
            if (before.isSeenLike(changed)) {
                return with(changed, place, before.up() == changed.up() ? voters : Voters.UNKNOWN);
            }
        }
        return with(changed.among(members), place, Voters.UNKNOWN);
    }

    /** A copy with one peer replaced, as it is; a new one is added at the end. */
    public Peers with(Peer changed) {
        return with(changed, placeOf(changed), Voters.UNKNOWN);
    }

    private Peers with(Peer changed, int place, Voters kept) {
        Peer placed = changed.place() == place ? changed : changed.withPlace(place);
        List<Peer> next = new ArrayList<>(list.size() + 1);
        next.addAll(list);
        if (place == list.size()) {
            next.add(placed);
        } else {
            next.set(place, placed);
        }
        return new Peers(next, kept);
    }

    /** The index of a peer; the one after the last if there is none at its address yet. */
    private int placeOf(Peer peer) {
        if (hasInItsPlace(peer)) {
            return peer.place();
        }
        for (Peer known : list) {
            if (known.address().equals(peer.address())) {
                return known.place();
            }
        }
        return list.size();
    }

    @Override
    public String toString() {
        return list.toString();
    }
}
