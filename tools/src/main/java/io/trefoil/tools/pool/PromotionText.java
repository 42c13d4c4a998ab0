/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pool;

import io.trefoil.journal.hdfs.promote.PromotionPlan;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Prints a promotion, as text for human readers and as JSON for programs. */
final class PromotionText {

    private final JournalId journal;
    private final PromotionPlan plan;
    private final Optional<String> movedTo;

    /** @param movedTo where the old storage is now, if this run moved it */
    PromotionText(JournalId journal, PromotionPlan plan, Optional<String> movedTo) {
        this.journal = journal;
        this.plan = plan;
        this.movedTo = movedTo;
    }

    String table() {
        if (plan.alreadyPromoted()) {
            return "Pool node " + plan.address() + " was promoted, it is the only voter of journal " + journal
                    + " in incarnation " + plan.incarnation()
                    + ".\nNothing is left to do: start it, and the NameNode.\n";
        }
        StringBuilder text = new StringBuilder();
        text.append("Pool node ").append(plan.address());
        text.append(movedTo.isPresent() ? " is now" : " becomes")
                .append(" the only voter of journal ")
                .append(journal);
        text.append(".\n\nCertainly there: all transactions up to ").append(plan.lastTxId());
        text.append(", of which it knew those up to ")
                .append(plan.committedTxId())
                .append(" to be committed.\n");
        plan.lastEditMillis().ifPresent(millis -> text.append("Its last edit with a time was made at ")
                .append(Instant.ofEpochMilli(millis))
                .append(" by the clock of the NameNode that wrote it.\n"));
        text.append("Its log was last written at ").append(Instant.ofEpochMilli(plan.lastWriteMillis()));
        text.append(" by the clock of this host.\n");
        if (plan.refetching()) {
            text.append("Its log was being fetched again after damage: it may end before what it once had.\n");
        }
        text.append("May be missing: what clients were told is done after transaction ")
                .append(plan.lastTxId());
        text.append(". How much cannot be told here.\n");
        text.append("Lost for good: ").append(plan.lostMembers()).append("\n\n");
        for (String refusal : plan.refusals()) {
            text.append("Refused: ").append(refusal).append('\n');
        }
        if (movedTo.isPresent()) {
            text.append("Done. The old storage is at ").append(movedTo.get());
            text.append(".\n")
                    .append("1. Start this pool node and this NameNode, and make it active.\n")
                    .append("2. On the host of every other NameNode, where everything is from before: stop it, run hdfs"
                            + " namenode -bootstrapStandby -force, start it. Until then it ends at each start.\n")
                    .append(
                            "3. A pool node that survived moves its data aside and joins by itself if its own URI names it;"
                                    + " one in the process of a NameNode does after step 2. One that was named with --lost and"
                                    + " comes back: hdfs trefoil journal repair, then hdfs trefoil journal add.\n");
        } else {
            text.append("Nothing was changed.\n");
            if (plan.refusals().isEmpty()) {
                text.append("To do it: hdfs trefoil journal promote")
                        .append(lostOption())
                        .append(" --last-tx ");
                text.append(plan.lastTxId()).append(" --execute\n");
            }
        }
        return text.toString();
    }

    private String lostOption() {
        StringBuilder option = new StringBuilder();
        for (NodeAddress address : plan.lostMembers()) {
            option.append(option.length() == 0 ? " --lost " : ",").append(address);
        }
        return option.toString();
    }

    Map<String, Object> json() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("journal", journal.text());
        object.put("node", plan.address().toString());
        object.put("promotedBefore", plan.alreadyPromoted());
        object.put("executed", movedTo.isPresent());
        object.put("lastTxId", plan.lastTxId());
        object.put("committedTxId", plan.committedTxId());
        object.put("writtenMillis", plan.lastWriteMillis());
        object.put("lastEditMillis", plan.lastEditMillis().orElse(null));
        object.put("refetching", plan.refetching());
        List<String> lost = new ArrayList<>();
        plan.lostMembers().forEach(address -> lost.add(address.toString()));
        object.put("lost", lost);
        object.put("refusals", plan.refusals());
        object.put("movedTo", movedTo.orElse(""));
        return object;
    }
}
