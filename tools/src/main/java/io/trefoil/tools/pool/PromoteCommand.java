/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pool;

import io.trefoil.journal.hdfs.promote.JournalPromoter;
import io.trefoil.journal.hdfs.promote.PromotionPlan;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.LocalNameNode;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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

/**
 * {@code trefoil journal promote}: continues with one node's log when the majority of the voters is lost for good.
 */
@Command(
        name = "promote",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "When a majority of the voters is lost for good: on the host of a NameNode and of a pool node that survived, while"
                    + " both are stopped, says what the journal would go on with and what may be missing. Changes nothing"
                    + " without --execute.",
            "With it, this pool node becomes the only voter of a new incarnation of the journal, and every "
                    + "node with the old one is refused forever. Transactions that the lost nodes acknowledged "
                    + "after the last one here are lost."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it can be done, or is done",
            "1:it must not be done, or failed",
            "2:the command line or the configuration is wrong"
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil journal promote --lost host1:8487,host2:8487",
            "  hdfs trefoil journal promote --lost host1:8487,host2:8487 --last-tx 48151 --execute"
        })
public final class PromoteCommand implements Callable<Integer> {

    @Mixin
    private final JournalOptions options;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--lost",
            paramLabel = "HOST:PORT",
            split = ",",
            description = "All other members that do not answer: you promise that no process will ever again use what "
                    + "they hold as a voter of this journal.")
    private List<NodeAddress> lost = new ArrayList<>();

    @Option(names = "--execute", description = "Do it, instead of only saying what would be done; with --last-tx.")
    private boolean execute;

    @Option(
            names = "--last-tx",
            paramLabel = "TXID",
            description = "The last transaction that is there, as this command shows it without --execute.")
    private Long lastTxId;

    public PromoteCommand(Installation installation) {
        options = new JournalOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        if (execute && lastTxId == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--execute takes --last-tx, the last transaction that is there; look first without it");
        }
        LocalNameNode nameNode = options.localNameNode();
        Set<NodeAddress> gone = new LinkedHashSet<>(lost);
        try (JournalPromoter promotion = options.openPromotion(nameNode)) {
            Map<NodeAddress, PoolReply> answers = queryNodes(nameNode, promotion);
            PromotionPlan plan = promotion.plan(answers, gone);
            Optional<String> movedTo = Optional.empty();
            if (execute && !plan.alreadyPromoted()) {
                requireExecutable(plan);
                movedTo = Optional.of(promotion.execute(plan, answers));
            }
            PromotionText text = new PromotionText(nameNode.journal().journal(), plan, movedTo);
            options.print(text::json, text::table);
            return plan.refusals().isEmpty() ? ExitCode.FINE : ExitCode.FINDING;
        }
    }

    /**
     * Queries all nodes known to any of them: the members in the local log, the nodes in the URI, those declared lost, and the members in
     * the logs of all that answer, as a survivor may have become a member after the local log ended.
     */
    private Map<NodeAddress, PoolReply> queryNodes(LocalNameNode nameNode, JournalPromoter promotion)
            throws IOException {
        Set<NodeAddress> addresses = new LinkedHashSet<>();
        Set<NodeAddress> known = new LinkedHashSet<>(promotion.otherMembers());
        known.addAll(nameNode.journal().addresses());
        known.addAll(lost);
        Map<NodeAddress, PoolReply> answers = new LinkedHashMap<>();
        try (PoolAdminClient inquiry = options.openAdminClient(nameNode.journal())) {
            while (addresses.addAll(known)) {
                inquiry.query(known, StatusRequest.create())
                        .forEach((address, answer) -> answer.reply().ifPresent(reply -> answers.put(address, reply)));
                known = membersIn(answers.values());
                known.removeAll(addresses);
            }
        }
        return answers;
    }

    private static Set<NodeAddress> membersIn(Collection<PoolReply> answers) {
        Set<NodeAddress> members = new LinkedHashSet<>();
        for (PoolReply reply : answers) {
            if (reply instanceof StatusReply) {
                ((StatusReply) reply).end().members().list().forEach(member -> members.add(member.address()));
            }
        }
        return members;
    }

    private void requireExecutable(PromotionPlan plan) throws IOException {
        if (!plan.refusals().isEmpty()) {
            throw new IOException(String.join("\n", plan.refusals()) + "\nNothing was changed.");
        }
        if (plan.lastTxId() != lastTxId) {
            throw new IOException("The last transaction here is " + plan.lastTxId() + ", not " + lastTxId
                    + ": look again without --execute. Nothing was changed.");
        }
    }
}
