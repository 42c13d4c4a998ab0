/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.image;

import io.trefoil.journal.model.NodeAddress;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Decides which node to ask for which part of an image. All nodes that hold the image are asked at once, each for
 * different parts. A part that does not arrive, or has a wrong checksum, is requested from another node; a node that
 * fails three times in a row is given up. At the end, idle nodes are asked for parts that a slow node still owes. For
 * one thread at a time.
 */
public final class FetchPlan {

    static final int MAX_CONSECUTIVE_FAILURES = 3;
    static final int MAX_CONCURRENT_FETCHES = 2;

    private final int partCount;
    private final BitSet have;
    private final Map<Integer, Set<NodeAddress>> asked = new LinkedHashMap<>();
    private final Map<NodeAddress, Source> sources = new LinkedHashMap<>();

    /** A node, as far as this plan knows it. */
    private static final class Source {
        private final BitSet failed = new BitSet();
        private final List<String> troubles = new ArrayList<>();
        private int failuresInARow;
        private long partsGiven;

        boolean isAbandoned() {
            return failuresInARow >= MAX_CONSECUTIVE_FAILURES;
        }
    }

    /**
     * @param have the parts that an interrupted fetch already got
     * @param nodes the nodes that hold the image
     */
    public FetchPlan(int partCount, BitSet have, Collection<NodeAddress> nodes) {
        if (partCount < 1 || have.length() > partCount) {
            throw new IllegalArgumentException(
                    "A fetch has at least one part; wanted " + partCount + ", of which there are " + have);
        }
        this.partCount = partCount;
        this.have = (BitSet) have.clone();
        nodes.forEach(node -> sources.put(node, new Source()));
    }

    /** The part to ask a node for now; empty if there is none at the moment. */
    public OptionalInt nextPart(NodeAddress node) {
        Source source = source(node);
        if (source.isAbandoned()) {
            return OptionalInt.empty();
        }
        OptionalInt part = nextPart(node, source, 0);
        for (int otherCount = 1; !part.isPresent() && otherCount < MAX_CONCURRENT_FETCHES; otherCount++) {
            part = nextPart(node, source, otherCount);
        }
        part.ifPresent(found ->
                asked.computeIfAbsent(found, ignored -> new LinkedHashSet<>()).add(node));
        return part;
    }

    /** A missing part for which requests to exactly {@code otherCount} other nodes are pending. */
    private OptionalInt nextPart(NodeAddress node, Source source, int otherCount) {
        for (int part = have.nextClearBit(0); part < partCount; part = have.nextClearBit(part + 1)) {
            Set<NodeAddress> asking = asked.get(part);
            int count = asking == null ? 0 : asking.size();
            boolean isAsked = asking != null && asking.contains(node);
            if (count == otherCount && !isAsked && !source.failed.get(part)) {
                return OptionalInt.of(part);
            }
        }
        return OptionalInt.empty();
    }

    /** Records a part that arrived from a node with the right checksum; returns whether it was still missing. */
    public boolean recordArrival(NodeAddress node, int part) {
        Source source = source(node);
        recordAnswer(node, part);
        source.failuresInARow = 0;
        if (have.get(part)) {
            return false;
        }
        have.set(part);
        source.partsGiven++;
        return true;
    }

    /** A node did not send the part, or sent wrong bytes. */
    public void recordFailure(NodeAddress node, int part, String reason) {
        Source source = source(node);
        recordAnswer(node, part);
        source.failed.set(part);
        source.failuresInARow++;
        if (!source.troubles.contains(reason)) {
            source.troubles.add(reason);
        }
    }

    private void recordAnswer(NodeAddress node, int part) {
        Set<NodeAddress> asking = asked.get(part);
        if (asking == null || !asking.remove(node)) {
            throw new IllegalStateException(node + " was not asked for part " + part);
        }
        if (asking.isEmpty()) {
            asked.remove(part);
        }
    }

    private Source source(NodeAddress node) {
        Source source = sources.get(node);
        if (source == null) {
            throw new IllegalArgumentException(node + " holds no such image, those that do are " + sources.keySet());
        }
        return source;
    }

    /** Whether every part has arrived. */
    public boolean isDone() {
        return have.cardinality() == partCount;
    }

    /** Whether a part is missing for which no request is pending, and no node is left to ask. */
    public boolean isStuck() {
        for (int part = have.nextClearBit(0); part < partCount; part = have.nextClearBit(part + 1)) {
            if (!asked.containsKey(part) && hasNoSourceFor(part)) {
                return true;
            }
        }
        return false;
    }

    private boolean hasNoSourceFor(int part) {
        return sources.values().stream().allMatch(source -> source.isAbandoned() || source.failed.get(part));
    }

    public int presentPartCount() {
        return have.cardinality();
    }

    /** Returns the number of parts that each node sent first. */
    public Map<NodeAddress, Long> partsByNode() {
        Map<NodeAddress, Long> given = new LinkedHashMap<>();
        sources.forEach((node, source) -> given.put(node, source.partsGiven));
        return given;
    }

    /** The failures at each node; nodes without trouble are not included. */
    public Map<NodeAddress, List<String>> failuresByNode() {
        Map<NodeAddress, List<String>> troubles = new LinkedHashMap<>();
        sources.forEach((node, source) -> {
            if (!source.troubles.isEmpty()) {
                troubles.put(node, new ArrayList<>(source.troubles));
            }
        });
        return troubles;
    }
}
