/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.table;

import io.trefoil.federation.mirror.Consent;
import io.trefoil.federation.mirror.MirrorOutcome;
import io.trefoil.federation.mirror.MountChange;
import io.trefoil.federation.mirror.MountEntry;
import io.trefoil.federation.mirror.Routers;
import io.trefoil.federation.mirror.SealOutcome;
import io.trefoil.federation.mirror.SealRepairer;
import io.trefoil.federation.mirror.TableMirror;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.federation.cluster.Federation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.Table;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code trefoil table mirror}: copies the newest version to the Routers' mount table. */
@Command(
        name = "mirror",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Makes the mount table of Routers (router-based federation) match the newest version. Entries that "
                    + "others made are left alone, and are shown if they lead elsewhere. Run it after each "
                    + "change of the table; run again, it changes nothing more.",
            "Then it closes the seals that Routers opened by setting quotas at old owners, and finds those that a command which ended"
                    + " half-way left where the table has none, where this user is a superuser.",
            "Needs the superuser of the Routers."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all Routers that were named route by the newest version; with --dry-run, they could",
            "1:refused, a Router does not follow, an entry was not found that has to go, something was created behind a seal, or there is one where the table has none; "
                    + "the output says why",
            "2:the command line or the configuration is wrong",
            "3:no Router answers"
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil table mirror --dry-run",
            "  hdfs trefoil table mirror --router router1:8111 --router router2:8111"
        })
public final class TableMirrorCommand implements Callable<Integer> {

    private final Installation installation;

    @Mixin
    private final TableOptions options;

    @Option(
            names = "--router",
            paramLabel = "HOST:PORT",
            description =
                    "Where the administration of a Router listens; may be given several times, once for each Router that shares the"
                            + " State Store. dfs.federation.router.admin-address of the configuration if not given.")
    private List<String> addresses = new ArrayList<>();

    @Option(names = "--dry-run", description = "Show what would be changed, and change nothing.")
    private boolean dryRun;

    @Option(
            names = "--adopt",
            description =
                    "Take over entries that others made and that lead where the table says: the table changes them from then on.")
    private boolean adopt;

    @Option(
            names = "--back-to",
            paramLabel = "VERSION",
            description = "Mirror this version, which must be the newest, even though the Routers have a newer one: "
                    + "after the table was restored.")
    private Integer backTo;

    @Spec
    private CommandSpec command;

    public TableMirrorCommand(Installation installation) {
        this.installation = installation;
        options = new TableOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        try (Routers routers = routers();
                TableStore store = options.open()) {
            TableMirror mirror = new TableMirror(store, routers, consents(store));
            MirrorOutcome outcome = dryRun ? mirror.dryRun() : mirror.run();
            // Only now do the Routers leave the old owners' directories alone.
            SealOutcome seals = repairSeals(store);
            options.print(() -> json(outcome, seals), () -> text(outcome, routers.addresses()) + text(seals));
            boolean isDone = outcome.staleRouters().isEmpty()
                    && outcome.missingEntries().isEmpty()
                    && seals.needingAttention().isEmpty()
                    && seals.leftoverSeals().isEmpty();
            return isDone ? ExitCode.FINE : ExitCode.FINDING;
        }
    }

    private SealOutcome repairSeals(TableStore store) throws IOException {
        try (SubtreeMoves moves = Federation.of(installation).openMoves(store)) {
            SealRepairer repair =
                    new SealRepairer(store, path -> isAffected(moves.store().current(), path));
            return dryRun ? repair.dryRun() : repair.run();
        }
    }

    private static boolean isAffected(Optional<MoveRecord> move, SubtreePath path) {
        return move.isPresent()
                && (path.isWithin(move.get().path()) || move.get().path().isWithin(path));
    }

    private Routers routers() throws IOException {
        try {
            return Federation.of(installation).openRouters(addresses);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    private Set<Consent> consents(TableStore store) throws IOException {
        Set<Consent> given = EnumSet.noneOf(Consent.class);
        if (adopt) {
            given.add(Consent.ADOPT);
        }
        if (backTo != null) {
            int newest = store.requireNewest().table().version();
            if (backTo != newest) {
                throw new TableRefusedException(
                        "Version " + backTo + " is not the newest of the table, which is " + newest);
            }
            given.add(Consent.GO_BACK);
        }
        return given;
    }

    private String text(MirrorOutcome outcome, List<String> routers) {
        StringBuilder text = new StringBuilder("hdfs://" + outcome.table().name() + ", version "
                + outcome.table().version() + ", in the mount table of the Routers\n\n");
        if (outcome.changes().isEmpty()) {
            text.append("Nothing is to be changed.\n");
        } else {
            Table changes = new Table("Change", "Subtree", "Nameservice");
            outcome.changes().forEach(change -> changes.row(change.kind().text(), change.path(), change.nameservice()));
            text.append(changes).append(dryRun ? "\nNothing was changed.\n" : "");
        }
        for (MountEntry entry : outcome.conflictingEntries()) {
            text.append("Not of this table, left alone: " + entry.path() + " leads to "
                    + String.join(", ", entry.targets()) + "\n");
        }
        outcome.missingEntries()
                .forEach((path, nameservice) -> text.append("The State Store did not return the entry of " + path
                        + ", which led to " + nameservice
                        + " and has to go. Unless you removed it, Routers go there again when they can read it: look for it with"
                        + " hdfs dfsrouteradmin -ls " + path + ", and run this again.\n"));
        if (!dryRun) {
            for (String router : routers) {
                String reason = outcome.staleRouters().get(router);
                text.append(router + (reason == null ? " routes by it.\n" : " does not follow: " + reason + "\n"));
            }
        }
        if (!outcome.staleRouters().isEmpty()) {
            text.append(
                    "Until it follows, a Router sends clients to old owners, and if it sets quotas it may open their seals once"
                            + " more. Repair or stop "
                            + String.join(", ", outcome.staleRouters().keySet()) + ", and run this again.\n");
        }
        return text.toString();
    }

    private String text(SealOutcome seals) {
        StringBuilder text = new StringBuilder();
        seals.resealed()
                .forEach(directory -> text.append("Others opened the seal of " + directory + "; it "
                        + (dryRun ? "would be" : "is") + " closed again.\n"));
        seals.needingAttention()
                .forEach((directory, reason) ->
                        text.append("Others opened the seal of " + directory + ": " + reason + "\n"));
        seals.unsealed()
                .forEach(directory -> text.append(directory + " sent clients away, but the table has it open; it "
                        + (dryRun ? "would be" : "is") + " open again.\n"));
        seals.leftoverSeals()
                .forEach((directory, reason) ->
                        text.append(directory + " has a seal, but the table has it open: " + reason + "\n"));
        seals.unreachableNameservices()
                .forEach((nameservice, reason) ->
                        text.append("Seals of " + nameservice + " were not looked at: " + reason + "\n"));
        return text.toString();
    }

    private Map<String, Object> json(MirrorOutcome outcome, SealOutcome seals) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", outcome.table().name());
        object.put("version", outcome.table().version());
        List<Object> changes = new ArrayList<>();
        for (MountChange entry : outcome.changes()) {
            Map<String, Object> change = new LinkedHashMap<>();
            change.put("change", entry.kind().text());
            change.put("path", entry.path());
            change.put("nameservice", entry.nameservice());
            changes.add(change);
        }
        object.put("changes", changes);
        object.put("done", !dryRun);
        List<Object> elsewhere = new ArrayList<>();
        for (MountEntry one : outcome.conflictingEntries()) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("path", one.path());
            entry.put("targets", one.targets());
            elsewhere.add(entry);
        }
        object.put("elsewhere", elsewhere);
        object.put("unseen", outcome.missingEntries());
        object.put("behind", outcome.staleRouters());
        object.put("sealsClosed", seals.resealed());
        object.put("sealsOpen", seals.needingAttention());
        object.put("sealsOpened", seals.unsealed());
        object.put("sealsLeft", seals.leftoverSeals());
        object.put("sealsUnknown", seals.unreachableNameservices());
        return object;
    }
}
