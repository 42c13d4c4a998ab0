/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The nodes of a journal, as the newest MEMBERS entry of a log says (rule R7), and the storages that were members and
 * never will be again (rule R8). A promotion gives up nodes, and loses transactions with them; so does a format for a
 * namespace that went back to an instant: the members also record which images may contain such transactions. Immutable.
 *
 * <p>Its payload form is one line per member, {@code id host:port ROLE}, one per retired storage, {@code id host:port
 * CAUSE}, one per range lost by promotions and restores, {@code LOST behindTxId toTxId fromBlockId belowBlockId}, one per node that may
 * be read from, {@code READER id}, and one per incarnation that this one replaced, {@code REPLACED incarnation}, in UTF-8.
 */
@AutoValue
public abstract class Members {

    /** The empty list of members, before a journal is formatted. */
    public static final Members NONE = new AutoValue_Members(
            Collections.<Member>emptyList(),
            Collections.<RetiredStorage>emptyList(),
            Collections.<VoidRange>emptyList(),
            Collections.<NodeId>emptyList(),
            Collections.<Incarnation>emptyList());

    /** The most members a journal can have, voters or not: every promise and every log file's header lists them. */
    public static final int MAX_COUNT = 64;

    /**
     * The number of retired storages that are remembered. One more makes the list forget the oldest storage that was replaced, or
     * the oldest of all if none was replaced.
     */
    static final int MAX_RETIRED = 64;

    private static final String LOST = "LOST";
    private static final String READER = "READER";
    private static final String REPLACED = "REPLACED";

    /** The number of replaced incarnations that are remembered, the newest ones. */
    static final int MAX_REPLACED = 8;

    /** Creates members without retired storages. */
    public static Members of(List<Member> list) {
        return of(list, Collections.<RetiredStorage>emptyList());
    }

    /** @throws IllegalArgumentException if there are too many, or an id or the address of a member occurs twice */
    public static Members of(List<Member> list, List<RetiredStorage> retiredStorages) {
        return of(
                list,
                retiredStorages,
                Collections.<VoidRange>emptyList(),
                Collections.<NodeId>emptyList(),
                Collections.<Incarnation>emptyList());
    }

    private static Members of(
            List<Member> list,
            List<RetiredStorage> retiredStorages,
            List<VoidRange> lostRanges,
            List<NodeId> readers,
            List<Incarnation> replacedIncarnations) {
        if (list.size() > MAX_COUNT || retiredStorages.size() > MAX_RETIRED) {
            throw new IllegalArgumentException("A journal has at most " + MAX_COUNT + " members and remembers "
                    + MAX_RETIRED + " that retired, found " + list.size() + " and " + retiredStorages.size());
        }
        for (int i = 0; i < list.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (list.get(i).id().equals(list.get(j).id())
                        || list.get(i).address().equals(list.get(j).address())) {
                    throw new IllegalArgumentException("One node twice among the members: " + list);
                }
            }
        }
        for (int i = 0; i < retiredStorages.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (retiredStorages.get(i).id().equals(retiredStorages.get(j).id())) {
                    throw new IllegalArgumentException("One node retired twice: " + retiredStorages);
                }
            }
            for (Member member : list) {
                if (retiredStorages.get(i).id().equals(member.id())) {
                    throw new IllegalArgumentException("A retired node among the members: " + member);
                }
            }
        }
        return new AutoValue_Members(
                Collections.unmodifiableList(new ArrayList<>(list)),
                Collections.unmodifiableList(new ArrayList<>(retiredStorages)),
                VoidRange.merge(lostRanges),
                Collections.unmodifiableList(new ArrayList<>(readers)),
                Collections.unmodifiableList(new ArrayList<>(replacedIncarnations)));
    }

    public abstract List<Member> list();

    /** The retired storages, in the order in which they retired. */
    public abstract List<RetiredStorage> retiredStorages();

    /** The images that may contain transactions that a promotion, or a restore from an archive, lost. */
    public abstract List<VoidRange> lostRanges();

    /**
     * The nodes next to which an observer may answer reads without asking the writer: the next writer waits for their leases
     * (near-reads page). A removed node stays here until its lease has run out.
     */
    public abstract List<NodeId> readers();

    /**
     * The incarnations that were known, and made void, when this journal was formatted: one that is not among them may
     * be in force in its stead (rule R11).
     */
    public abstract List<Incarnation> replacedIncarnations();

    /** A copy for a journal that takes the place of others. */
    public final Members withReplacedIncarnations(Collection<Incarnation> otherIncarnations) {
        List<Incarnation> all = new ArrayList<>(new TreeSet<>(otherIncarnations));
        int first = Math.max(0, all.size() - MAX_REPLACED);
        return of(list(), retiredStorages(), lostRanges(), readers(), all.subList(first, all.size()));
    }

    public final boolean isReader(NodeId id) {
        return readers().contains(id);
    }

    /** Whether one more can become a reader. */
    public final boolean canAddReader() {
        return readers().size() < MAX_COUNT;
    }

    /** A copy with one more reader. */
    public final Members withReader(NodeId id) {
        List<NodeId> next = new ArrayList<>(readers());
        next.add(id);
        return of(list(), retiredStorages(), lostRanges(), next, replacedIncarnations());
    }

    /** A copy without one of the readers. */
    public final Members withoutReader(NodeId id) {
        List<NodeId> next = new ArrayList<>(readers());
        next.remove(id);
        return of(list(), retiredStorages(), lostRanges(), next, replacedIncarnations());
    }

    public final int voterCount() {
        int count = 0;
        for (Member member : list()) {
            if (member.isVoter()) {
                count++;
            }
        }
        return count;
    }

    /** Returns the number of voters that make a majority; 1, which cannot be reached, if there are no voters. */
    public final int majority() {
        return voterCount() / 2 + 1;
    }

    public final Optional<Member> find(NodeId id) {
        for (Member member : list()) {
            if (member.id().equals(id)) {
                return Optional.of(member);
            }
        }
        return Optional.empty();
    }

    public final Optional<Member> findByAddress(NodeAddress address) {
        for (Member member : list()) {
            if (member.address().equals(address)) {
                return Optional.of(member);
            }
        }
        return Optional.empty();
    }

    /** Whether a node that reports this id is listening on the address of another member (rule R12). */
    public final boolean isAddressOfOtherMember(NodeAddress address, NodeId id) {
        return find(id).isPresent()
                && findByAddress(address)
                        .filter(member -> !member.id().equals(id))
                        .isPresent();
    }

    public final boolean isVoter(NodeId id) {
        return find(id).filter(Member::isVoter).isPresent();
    }

    public final boolean isRetired(NodeId id) {
        for (RetiredStorage storage : retiredStorages()) {
            if (storage.id().equals(id)) {
                return true;
            }
        }
        return false;
    }

    /** Whether an operator removed the node at an address, so that no node there may join on its own. */
    public final boolean isRemovedByOperator(NodeAddress address) {
        for (RetiredStorage storage : retiredStorages()) {
            if (storage.cause() == RetiredStorage.Cause.REMOVED
                    && storage.address().equals(address)) {
                return true;
            }
        }
        return false;
    }

    /** A copy with one member added, which replaces the one of the same id. */
    public final Members with(Member changedMember) {
        List<Member> next = new ArrayList<>();
        for (Member member : list()) {
            if (!member.id().equals(changedMember.id())) {
                next.add(member);
            }
        }
        next.add(changedMember);
        return of(next, retiredStorages(), lostRanges(), readers(), replacedIncarnations());
    }

    /**
     * A copy without one of the members, which retires for good.
     *
     * @throws IllegalArgumentException if there is no such member
     */
    public final Members without(NodeId id, RetiredStorage.Cause cause) {
        Member leaving = find(id).orElseThrow(() -> new IllegalArgumentException(id + " is not among " + this));
        List<Member> next = new ArrayList<>(list());
        next.remove(leaving);
        List<RetiredStorage> removedStorages = new ArrayList<>(retiredStorages());
        removedStorages.add(RetiredStorage.of(id, leaving.address(), cause));
        if (removedStorages.size() > MAX_RETIRED) {
            removedStorages.remove(indexToForget(removedStorages));
        }
        return of(next, removedStorages, lostRanges(), readers(), replacedIncarnations());
    }

    private static int indexToForget(List<RetiredStorage> removedStorages) {
        for (int i = 0; i < removedStorages.size(); i++) {
            if (removedStorages.get(i).cause() == RetiredStorage.Cause.REPLACED) {
                return i;
            }
        }
        return 0;
    }

    /** A copy with more ranges of images that may contain lost transactions. */
    public final Members withLostRanges(Collection<VoidRange> images) {
        List<VoidRange> next = new ArrayList<>(lostRanges());
        next.addAll(images);
        return of(list(), retiredStorages(), next, readers(), replacedIncarnations());
    }

    /** Whether one more can become a member. */
    public final boolean canAddMember() {
        return list().size() < MAX_COUNT;
    }

    /** A copy in which nodes at this address may join again, with new storage. */
    public final Members withReadmittedAddress(NodeAddress address) {
        List<RetiredStorage> removedStorages = new ArrayList<>();
        for (RetiredStorage storage : retiredStorages()) {
            removedStorages.add(
                    storage.address().equals(address)
                            ? RetiredStorage.of(storage.id(), address, RetiredStorage.Cause.REPLACED)
                            : storage);
        }
        return of(list(), removedStorages, lostRanges(), readers(), replacedIncarnations());
    }

    public final Bytes toPayload() {
        StringBuilder text = new StringBuilder();
        for (Member member : list()) {
            text.append(member).append('\n');
        }
        for (RetiredStorage storage : retiredStorages()) {
            text.append(storage).append('\n');
        }
        for (VoidRange range : lostRanges()) {
            text.append(LOST).append(' ').append(range.toTokens()).append('\n');
        }
        for (NodeId nodeId : readers()) {
            text.append(READER).append(' ').append(nodeId).append('\n');
        }
        for (Incarnation incarnation : replacedIncarnations()) {
            text.append(REPLACED).append(' ').append(incarnation).append('\n');
        }
        return Bytes.ofUtf8(text.toString());
    }

    /** @throws IllegalArgumentException if the bytes are not a list of members */
    public static Members fromPayload(Bytes payload) {
        List<Member> list = new ArrayList<>();
        List<RetiredStorage> retiredStorages = new ArrayList<>();
        List<VoidRange> lostRanges = new ArrayList<>();
        List<NodeId> readers = new ArrayList<>();
        List<Incarnation> replacedIncarnations = new ArrayList<>();
        for (String line : payload.utf8().split("\n")) {
            if (line.isEmpty()) {
                continue;
            }
            String[] words = line.split(" ");
            if (words.length == 5 && words[0].equals(LOST)) {
                lostRanges.add(VoidRange.of(
                        Long.parseLong(words[1]),
                        Long.parseLong(words[2]),
                        Long.parseLong(words[3]),
                        Long.parseLong(words[4])));
                continue;
            }
            if (words.length == 2 && words[0].equals(READER)) {
                readers.add(NodeId.of(words[1]));
                continue;
            }
            if (words.length == 2 && words[0].equals(REPLACED)) {
                replacedIncarnations.add(Incarnation.parse(words[1]));
                continue;
            }
            if (words.length != 3) {
                throw new IllegalArgumentException("Wanted 'id host:port ROLE', found '" + line + "'");
            }
            NodeId id = NodeId.of(words[0]);
            NodeAddress address = NodeAddress.parse(words[1]);
            Optional<RetiredStorage.Cause> cause = RetiredStorage.cause(words[2]);
            if (cause.isPresent()) {
                retiredStorages.add(RetiredStorage.of(id, address, cause.get()));
            } else {
                list.add(Member.of(id, address, Member.Kind.valueOf(words[2])));
            }
        }
        return of(list, retiredStorages, lostRanges, readers, replacedIncarnations);
    }

    @Override
    public final String toString() {
        return retiredStorages().isEmpty() ? list().toString() : list() + " retired " + retiredStorages();
    }
}
