/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.verify;

import io.trefoil.foundation.Progress;
import io.trefoil.journal.codec.EntryCodec;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.tools.pool.survey.NodeState;
import io.trefoil.tools.pool.survey.NodeStatus;
import io.trefoil.tools.pool.survey.PoolStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the committed entries of every node, in parallel, and compares them one by one. Changes nothing.
 *
 * <p>The node that reads an entry from its disk checks its checksum, and it is checked again on arrival here. If a node
 * purges or goes down during this, what was read until then counts.
 */
final class JournalVerifier {

    private final PoolStatus status;
    private final List<NodeLog> logs = new ArrayList<>();
    private final Map<NodeAddress, String> disagreements = new LinkedHashMap<>();
    private final Set<NodeAddress> outvoted = new HashSet<>();
    private final Set<NodeAddress> undecided = new HashSet<>();

    private JournalVerifier(PoolStatus status, PoolAdminClient adminClient) {
        this.status = status;
        for (NodeStatus node : status.nodes()) {
            node.reply()
                    .filter(reply -> !status.isForeign(node))
                    .ifPresent(reply -> logs.add(new NodeLog(
                            node.address(),
                            adminClient,
                            reply.committedSummary().position().sn())));
        }
    }

    /** @throws IOException if the calling thread was interrupted */
    static JournalVerifier of(PoolStatus status, PoolAdminClient adminClient, Progress progress) throws IOException {
        JournalVerifier verification = new JournalVerifier(status, adminClient);
        try (Progress.Task task = progress.begin("verify", "entries")) {
            verification.run(task);
        }
        return verification;
    }

    private void run(Progress.Task task) throws IOException {
        boolean more = true;
        while (more) {
            for (NodeLog log : logs) {
                log.prepare();
            }
            long sn = Long.MAX_VALUE;
            for (NodeLog log : logs) {
                sn = log.hasMore() ? Math.min(sn, log.nextSn()) : sn;
            }
            more = sn < Long.MAX_VALUE;
            if (more) {
                compare(sn);
            }
            task.reportTotal(logs.stream().mapToLong(NodeLog::entriesToCheck).sum());
            task.reportDone(logs.stream().mapToLong(NodeLog::checkedEntries).sum());
        }
    }

    /** Compares the entries with one serial number from all nodes that have it. */
    private void compare(long sn) {
        Map<NodeAddress, Entry> entries = new LinkedHashMap<>();
        for (NodeLog log : logs) {
            if (log.hasMore() && log.nextSn() == sn) {
                log.next().ifPresent(entry -> entries.put(log.address(), entry));
            }
        }
        Map<String, List<NodeAddress>> kept = new LinkedHashMap<>();
        entries.forEach((address, entry) ->
                kept.computeIfAbsent(describe(entry), text -> new ArrayList<>()).add(address));
        if (kept.size() > 1) {
            // Each node's finding lists what the others have.
            entries.forEach(
                    (address, entry) -> disagreements.putIfAbsent(address, "disagrees on entry " + sn + ": " + kept));
            markOutvoted(kept.values());
        }
    }

    /**
     * Finds nodes with wrong entries. What is committed is on a majority of the voters (R4), so a node that differs from a
     * majority is wrong.
     */
    private void markOutvoted(Collection<List<NodeAddress>> sides) {
        Optional<List<NodeAddress>> right = sides.stream()
                .filter(side -> side.stream().filter(this::isVoter).count()
                        >= status.members().majority())
                .findFirst();
        for (List<NodeAddress> side : sides) {
            if (!right.isPresent()) {
                undecided.addAll(side);
            } else if (side != right.get()) {
                outvoted.addAll(side);
            }
        }
    }

    private boolean isVoter(NodeAddress address) {
        return status.members().findByAddress(address).filter(Member::isVoter).isPresent();
    }

    /** Whether a majority of the voters agrees on an entry other than this node's. */
    boolean isOutvoted(NodeStatus node) {
        return outvoted.contains(node.address());
    }

    /** Whether others differ from this node, and no majority agrees on one entry. */
    boolean isUndecided(NodeStatus node) {
        return undecided.contains(node.address());
    }

    /** Whether this voter holds the correct entries, and counts, as nothing was found against it. */
    boolean isSound(NodeStatus node) {
        return isVoter(node.address())
                && node.holdsStorageOf(
                        status.members().findByAddress(node.address()).get())
                && node.state() == NodeState.SERVES
                && !log(node).flatMap(NodeLog::firstDamage).isPresent()
                && !outvoted.contains(node.address())
                && !undecided.contains(node.address());
    }

    private static String describe(Entry entry) {
        return String.format("%s checksum %08x", entry, EntryCodec.checksum(entry));
    }

    PoolStatus status() {
        return status;
    }

    /** The log that was read from a node; empty if the node has nothing to read. */
    Optional<NodeLog> log(NodeStatus node) {
        return logs.stream().filter(log -> log.address().equals(node.address())).findFirst();
    }

    /** The faults of a node. */
    List<String> findings(NodeStatus node) {
        List<String> findings = new ArrayList<>();
        if (!node.reply().isPresent()) {
            findings.add("not checked, " + node.state()
                    + (node.failureReason().isEmpty() ? "" : ": " + node.failureReason()));
        }
        log(node).flatMap(NodeLog::firstDamage).ifPresent(findings::add);
        if (disagreements.containsKey(node.address())) {
            findings.add(disagreements.get(node.address()));
        }
        return findings;
    }

    /** The number of nodes that were read. */
    int checkedNodes() {
        return logs.size();
    }

    /** Whether nothing is wrong with any node, and a majority was checked: only a majority can determine the end of the journal. */
    boolean isHealthy() {
        return status.hasMajority()
                && status.nodes().stream().allMatch(node -> findings(node).isEmpty());
    }
}
