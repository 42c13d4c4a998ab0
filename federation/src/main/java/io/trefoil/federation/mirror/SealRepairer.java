/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.mirror;

import io.trefoil.federation.table.Seals;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.TableStore;
import io.trefoil.federation.table.TableStore.DirectoryState;
import java.io.IOException;
import java.util.Collections;
import java.util.List;

/**
 * Makes seals agree with the newest version of the table, where they were undone or left behind.
 *
 * <p>Routers with quotas of their own set those of an entry at the directory that it leads to: when an operator sets them, and every minute
 * where they find others. From a change of the table until it is mirrored that is the old owner's directory, whose seal is a quota, so they
 * open it.
 *
 * <p>A process that seals a directory of another nameservice, here or after a change of the table, may stall while the directory is given
 * back, seal it at its owner, and end before it has read the table again. Then clients are refused, or sent away, by the nameservice that
 * owns the directory. So it is with a part of a hashed directory, which is sealed before the directory is one nameservice's again.
 */
public final class SealRepairer {

    private final TableStore store;
    private final OngoingMoves moves;
    private final Seals seals;

    /** The moves that are in progress. */
    public interface OngoingMoves {
        /** Whether a directory is part of a move, or contains it: then its seal is up to the move. */
        boolean isAffected(SubtreePath path) throws IOException;
    }

    /** The treatment of a seal. */
    private interface SealAction {
        void apply(String nameservice, SubtreePath path) throws IOException;
    }

    public SealRepairer(TableStore store, OngoingMoves moves) {
        this.store = store;
        this.moves = moves;
        this.seals = new Seals(store);
    }

    /** Returns the outcome that {@link #run} would have; changes nothing. */
    public SealOutcome dryRun() throws IOException {
        return applyToEach((nameservice, path) -> {}, (nameservice, path) -> {});
    }

    /**
     * Closes seals that were opened, and checks whether something was created in the directories; opens directories that are marked as
     * handed over but belong to the nameservice. What goes wrong with one is in the outcome, and the others are dealt with.
     *
     * @throws IOException if the table cannot be read
     */
    public SealOutcome run() throws IOException {
        return applyToEach(seals::reseal, seals::openDirectory);
    }

    private SealOutcome applyToEach(SealAction closeAction, SealAction openAction) throws IOException {
        ExpectedSeals byTable = ExpectedSeals.of(store.history());
        SealOutcome.Collector outcome = new SealOutcome.Collector();
        for (String nameservice : byTable.nameservices()) {
            if (!store.nameservices().contains(nameservice)) {
                outcome.unknown.put("hdfs://" + nameservice, "the configuration does not have it");
                continue;
            }
            try {
                store.requireSuperuser(Collections.singleton(nameservice));
                for (SubtreePath path : byTable.sealedSubtrees(nameservice)) {
                    close(nameservice, path, closeAction, outcome);
                }
                for (SubtreePath path : byTable.openSubtrees(nameservice)) {
                    open(nameservice, path, openAction, outcome);
                }
            } catch (IOException e) {
                outcome.unknown.put("hdfs://" + nameservice, firstLine(e));
            }
        }
        return outcome.complete();
    }

    private void close(String nameservice, SubtreePath path, SealAction closeAction, SealOutcome.Collector outcome)
            throws IOException {
        // The move is asked for last: one that has opened this directory was there before.
        if (!store.hasSeal(nameservice, path)
                || store.inspect(nameservice, path) == DirectoryState.SEALED
                || moves.isAffected(path)) {
            return;
        }
        String directory = "hdfs://" + nameservice + path;
        try {
            closeAction.apply(nameservice, path);
            outcome.closed.add(directory);
        } catch (IOException e) {
            outcome.open.put(directory, firstLine(e));
        }
    }

    private void open(String nameservice, SubtreePath path, SealAction openAction, SealOutcome.Collector outcome)
            throws IOException {
        List<String> removals = store.sealRemovalCommands(nameservice, path);
        if (removals.isEmpty() || moves.isAffected(path)) {
            return;
        }
        String directory = "hdfs://" + nameservice + path;
        // Every change and every move takes the mark away before it writes the version by which the directory is its
        // nameservice's. A seal alone may belong to a change in progress, and must not be opened then.
        if (!store.hasRedirect(nameservice, path)) {
            outcome.left.put(
                    directory,
                    "if no change of it is being made, and it is not wanted, remove it: "
                            + String.join("; ", removals));
            return;
        }
        try {
            openAction.apply(nameservice, path);
            outcome.opened.add(directory);
        } catch (IOException e) {
            outcome.left.put(directory, firstLine(e));
        }
    }

    /** The first line of a message, as a NameNode appends its stack trace. */
    private static String firstLine(IOException e) {
        return String.valueOf(e.getMessage()).split("\n", 2)[0];
    }
}
