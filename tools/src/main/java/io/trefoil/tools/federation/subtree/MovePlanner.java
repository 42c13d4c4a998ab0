/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.subtree;

import io.trefoil.federation.balance.Balance;
import io.trefoil.federation.balance.BalancePlan;
import io.trefoil.federation.balance.Candidate;
import io.trefoil.federation.balance.Load;
import io.trefoil.federation.balance.PlanLimits;
import io.trefoil.federation.balance.PlannedMove;
import io.trefoil.federation.balance.RecentChangeFinder;
import io.trefoil.federation.move.MoveBlocker;
import io.trefoil.federation.move.MoveLimits;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.SubtreeMover;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.federation.move.SubtreeSize;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableChange;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore;
import io.trefoil.tools.federation.load.LoadSurvey;
import io.trefoil.tools.federation.load.NameserviceLoad;
import io.trefoil.tools.federation.load.SubtreeCallCount;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

/** Collects the data for a plan, and plans until the move's own checks accept all of its moves. */
final class MovePlanner {

    /** The smallest number of calls that predicts the next hour; with fewer, operations are not weighed. */
    private static final long FEW_CALLS = 1_000;
    /** The time after which NameNodes drop a call. */
    private static final Duration COUNTED = Duration.ofMinutes(11);

    private final TableStore table;
    private final SubtreeMoves moves;
    private final MoveLimits moveLimits;
    private final SubtreeSize.Source sizes;
    private final LoadSurvey survey;
    private final Instant now;

    private final SortedMap<SubtreePath, List<String>> refused = new TreeMap<>();
    private SortedSet<SubtreePath> resting = new TreeSet<>();
    /** The moves that passed the checks; they are also in the next plan. */
    private final Set<String> accepted = new HashSet<>();

    /** @param moveLimits those by which moves are checked, and will be made */
    MovePlanner(
            TableStore table,
            SubtreeMoves moves,
            MoveLimits moveLimits,
            SubtreeSize.Source sizes,
            LoadSurvey survey,
            Instant now) {
        this.table = table;
        this.moves = moves;
        this.moveLimits = moveLimits;
        this.sizes = sizes;
        this.survey = survey;
        this.now = now;
    }

    /**
     * Computes a plan.
     *
     * @param extraPaths subtrees to consider besides those with the most calls and the table's entries
     * @param maxMoves how many subtrees of each nameservice are considered for their calls
     * @param rest how long a subtree stays where it was moved to
     * @throws TableRefusedException if there can be no plan now
     */
    BalancePlan plan(Collection<SubtreePath> extraPaths, int maxMoves, Duration rest, PlanLimits limits)
            throws IOException {
        TableRecord newestRecord = table.requireNewest();
        requireNoMove(newestRecord);
        requireKnown(newestRecord.table());
        resting = RecentChangeFinder.findSince(now.minus(rest), table.history());
        List<Candidate> candidates = candidates(newestRecord.table(), extraPaths, maxMoves);
        while (true) {
            BalancePlan plan =
                    BalancePlan.of(balance(), newestRecord.table(), table.tableDirectory(), candidates, limits);
            Optional<SubtreePath> wrong = firstRefused(plan);
            if (!wrong.isPresent()) {
                return plan;
            }
            candidates.removeIf(candidate -> candidate.path().equals(wrong.get()));
        }
    }

    private void requireNoMove(TableRecord newestRecord) throws IOException {
        Optional<MoveRecord> current = moves.store().current();
        if (current.isPresent()) {
            throw new TableRefusedException("The move of " + current.get().path() + " to "
                    + current.get().target() + " has begun and not ended; look at it: hdfs trefoil subtree status");
        }
        Duration longest = survey.countedLoads().values().stream()
                .map(NameserviceLoad::countingTime)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        boolean isFirst = newestRecord.table().version() == 1;
        if (!isFirst && newestRecord.createdAt().isAfter(now.minus(longest))) {
            throw new TableRefusedException("The table changed at " + newestRecord.createdAt()
                    + ", and calls from before are still counted where they were; plan again at "
                    + newestRecord.createdAt().plus(COUNTED));
        }
    }

    private void requireKnown(SubtreeTable newestTable) throws TableRefusedException {
        for (String owner : new TreeSet<>(newestTable.owners().values())) {
            if (!survey.countedLoads().containsKey(owner)) {
                throw new TableRefusedException("It is not known what " + owner + ", which owns a subtree, has to do: "
                        + survey.skippedNameservices().getOrDefault(owner, "it is not in the configuration"));
            }
        }
    }

    private Balance balance() {
        Map<String, Load> loads = new TreeMap<>();
        survey.countedLoads()
                .forEach((nameservice, one) -> loads.put(
                        nameservice,
                        Load.builder()
                                .operations(weighOperations(one.callsPerMinute()))
                                .inodes((double) one.inodes())
                                .blocks((double) one.blocks())
                                .build()));
        return Balance.of(loads);
    }

    private double weighOperations(double calls) {
        return hasEnoughOperations() ? calls : 0;
    }

    /** Whether there were enough calls to weigh operations. */
    boolean hasEnoughOperations() {
        return survey.countedLoads().values().stream()
                        .mapToLong(NameserviceLoad::calls)
                        .sum()
                >= FEW_CALLS;
    }

    private List<Candidate> candidates(SubtreeTable newestTable, Collection<SubtreePath> extraPaths, int maxMoves)
            throws IOException {
        for (SubtreePath path : extraPaths) {
            List<String> reason = refusalReasons(path, newestTable);
            if (!reason.isEmpty()) {
                refused.put(path, reason);
            }
        }
        Set<SubtreePath> wanted = new TreeSet<>(extraPaths);
        wanted.addAll(newestTable.owners().keySet());
        for (NameserviceLoad load : survey.countedLoads().values()) {
            wanted.addAll(load.subtrees().stream()
                    .map(subtree -> tryParsePath(subtree.path()))
                    .filter(Optional::isPresent)
                    .map(Optional::get)
                    .filter(path -> newestTable.ownerOf(path).equals(load.nameservice()) && mayMove(path, newestTable))
                    .limit(maxMoves)
                    .collect(Collectors.toList()));
        }
        wanted.removeIf(path -> !mayMove(path, newestTable));
        List<Candidate> candidates = new ArrayList<>();
        for (SubtreePath path : wanted) {
            String owner = newestTable.ownerOf(path);
            Optional<SubtreeSize> size = sizes.of(owner, path);
            if (!size.isPresent() && extraPaths.contains(path)) {
                refused.put(path, Collections.singletonList("there is no directory hdfs://" + owner + path));
            }
            if (size.isPresent() && isCounted(path, survey.countedLoads().get(owner))) {
                candidates.add(Candidate.of(path, load(survey.countedLoads().get(owner), path, size.get())));
            }
        }
        return candidates;
    }

    /** Whether the calls of a subtree are counted separately: a deeper subtree may have many calls, and would seem to have none. */
    private boolean isCounted(SubtreePath path, NameserviceLoad owner) {
        boolean isCounted = path.depth() <= owner.depth();
        if (!isCounted && hasEnoughOperations()) {
            refused.put(
                    path,
                    Collections.singletonList("its calls are not known, as " + owner.nameservice()
                            + " tells subtrees apart down to " + owner.depth()
                            + " names (trefoil.federation.load.depth)"));
        }
        return isCounted || !hasEnoughOperations();
    }

    private boolean mayMove(SubtreePath path, SubtreeTable newestTable) {
        boolean rests = resting.stream().anyMatch(subtree -> subtree.isWithin(path) || path.isWithin(subtree));
        return !rests && survey.countedLoads().keySet().stream().anyMatch(to -> isAllowed(path, to, newestTable));
    }

    private boolean isAllowed(SubtreePath path, String to, SubtreeTable newestTable) {
        try {
            TableChange.assignOwner(newestTable, path, to)
                    .applyTo(newestTable, survey.countedLoads().keySet(), table.tableDirectory());
            return true;
        } catch (TableRefusedException e) {
            return false;
        }
    }

    /** The reasons why no other nameservice may own a subtree; empty if another may. */
    private List<String> refusalReasons(SubtreePath path, SubtreeTable newestTable) {
        Set<String> reasons = new TreeSet<>();
        for (String to : survey.countedLoads().keySet()) {
            if (!to.equals(newestTable.ownerOf(path))) {
                try {
                    TableChange.assignOwner(newestTable, path, to)
                            .applyTo(newestTable, survey.countedLoads().keySet(), table.tableDirectory());
                    return Collections.emptyList();
                } catch (TableRefusedException e) {
                    reasons.add(e.getMessage());
                }
            }
        }
        return new ArrayList<>(reasons);
    }

    private Load load(NameserviceLoad owner, SubtreePath path, SubtreeSize size) {
        double calls = owner.subtrees().stream()
                .filter(subtree -> subtree.path().equals(path.text()))
                .mapToDouble(SubtreeCallCount::callsPerMinute)
                .findFirst()
                .orElse(0);
        return Load.builder()
                .operations(weighOperations(calls))
                .inodes((double) (size.files() + size.directories()))
                .blocks((double) size.blocks())
                .build();
    }

    /** The first subtree of a plan that cannot be moved; changes nothing. */
    private Optional<SubtreePath> firstRefused(BalancePlan plan) throws IOException {
        for (PlannedMove move : plan.moves()) {
            if (accepted.contains(move.path() + " " + move.to())) {
                continue;
            }
            MoveRecord record = newMoveRecord(move, table.user());
            SubtreeMover checked = moves.connect(record, moveLimits, 1, line -> {});
            List<MoveBlocker> blockers = checked.blockers(checked.size());
            if (!blockers.isEmpty()) {
                refused.put(
                        move.path(), blockers.stream().map(MoveBlocker::text).collect(Collectors.toList()));
                return Optional.of(move.path());
            }
            accepted.add(move.path() + " " + move.to());
        }
        return Optional.empty();
    }

    private MoveRecord newMoveRecord(PlannedMove move, String user) {
        return MoveRecord.newMove(UUID.randomUUID().toString(), move.path(), move.from(), move.to(), user, now);
    }

    /** The parsed path; empty for one that cannot be in a table. */
    static Optional<SubtreePath> tryParsePath(String text) {
        try {
            return Optional.of(SubtreePath.parse(text));
        } catch (IllegalArgumentException notInATable) {
            return Optional.empty();
        }
    }

    /** The subtrees that would have been moved, with the reasons why they cannot be. */
    SortedMap<SubtreePath, List<String>> refusedSubtrees() {
        return refused;
    }

    /** The subtrees that changed owners recently and are left there. */
    SortedSet<SubtreePath> restingSubtrees() {
        return resting;
    }

    /** The nameservices that were not considered, with the reasons. */
    SortedMap<String, String> skippedNameservices() {
        return survey.skippedNameservices();
    }
}
