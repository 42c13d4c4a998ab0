/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.mirror;

import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Makes the Routers' mount table agree with the newest version of the table. It keeps no state of its own, so after a crash the next run
 * continues from what it finds.
 */
public final class TableMirror {

    /** The maximum number of passes: two concurrent mirrors need several; more mean that another program undoes the changes. */
    private static final int MAX_PASSES = 5;

    private final TableStore store;
    private final Routers routers;
    private final Set<Consent> consents;

    public TableMirror(TableStore store, Routers routers, Set<Consent> consents) {
        this.store = store;
        this.routers = routers;
        this.consents = consents.isEmpty() ? EnumSet.noneOf(Consent.class) : EnumSet.copyOf(consents);
    }

    /**
     * Returns the changes that a run would make; makes none.
     *
     * @throws TableRefusedException if it would be refused
     */
    public MirrorOutcome dryRun() throws IOException {
        SubtreeTable table = newest();
        MirrorPlan plan = MirrorPlan.of(table, routers.entries(), consents);
        return MirrorOutcome.of(
                table,
                plan.changes(),
                plan.conflictingEntries(),
                plan.missingEntries(store.history()),
                Collections.emptyMap());
    }

    /**
     * Makes the changes, has each Router reread them, and checks whether it routes by them.
     *
     * @throws TableRefusedException if a change is refused. What was done before stays, and every path is with its old owner or its new
     *     one
     */
    public MirrorOutcome run() throws IOException {
        List<MountChange> made = new ArrayList<>();
        Map<String, String> unseen = new TreeMap<>();
        for (int pass = 0; pass < MAX_PASSES; pass++) {
            SubtreeTable table = newest();
            List<MountEntry> present = routers.entries();
            MirrorPlan plan = MirrorPlan.of(table, present, consents);
            unseen.putAll(plan.missingEntries(store.history()));
            present.forEach(entry -> unseen.remove(entry.path()));
            // A State Store has no compare and set. So one that comes late with an older version must not end before it
            // has seen the newest version stand.
            if (plan.changes().isEmpty() && newest().version() == table.version()) {
                return MirrorOutcome.of(table, made, plan.conflictingEntries(), unseen, staleRouters(table));
            }
            for (MountChange change : plan.changes()) {
                routers.applyChange(change, MirrorMark.of(table));
                made.add(change);
            }
        }
        throw new IOException("The Routers' mount table is being changed meanwhile: after " + MAX_PASSES
                + " passes it does not match the table. Find out by which user, and run this again");
    }

    private SubtreeTable newest() throws IOException {
        return store.requireNewest().table();
    }

    private Map<String, String> staleRouters(SubtreeTable table) {
        Map<String, String> behind = new TreeMap<>();
        for (String router : routers.addresses()) {
            staleReason(router, table).ifPresent(reason -> behind.put(router, reason));
        }
        return behind;
    }

    private Optional<String> staleReason(String router, SubtreeTable table) {
        try {
            routers.refresh(router);
            for (Map.Entry<SubtreePath, String> entry : table.owners().entrySet()) {
                String nameservice = routers.resolveNameservice(router, entry.getKey());
                if (!nameservice.equals(entry.getValue())) {
                    return Optional.of(
                            "it has " + entry.getKey() + " with " + nameservice + ", not " + entry.getValue());
                }
            }
            return differingEntries(router, table);
        } catch (IOException e) {
            return Optional.of(e.getMessage());
        }
    }

    /**
     * Finds a difference between a Router's entries and the table, as a State Store in ZooKeeper omits entries that it cannot read. So each Router's own reading is compared
     * with the table.
     */
    private Optional<String> differingEntries(String router, SubtreeTable table) throws IOException {
        return MirrorPlan.of(table, routers.entries(router), consents).changes().stream()
                .findFirst()
                .map(change -> "it read other entries than the Router that was asked first, as that of " + change.path()
                        + "; run this again");
    }
}
