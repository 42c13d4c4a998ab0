/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.coordinator.CheckpointPlan;
import io.trefoil.checkpoint.hdfs.config.ConfiguredFederation;
import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.journal.model.Barrier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Optional;

/** Checks that a checkpoint's barriers have room for everything that a restore will write into them. */
final class ManifestSizeCheck {

    private ManifestSizeCheck() {}

    /** @throws OrderRefusedException if they have not: the checkpoint could not be restored */
    static void require(CheckpointPlan plan, ConfiguredFederation federation) throws OrderRefusedException {
        for (String nameservice : plan.nameservices()) {
            for (String nameNode : federation.nameNodeAddresses(nameservice).keySet()) {
                int bytes = CheckpointJson.toJson(longest(plan, nameservice, nameNode))
                        .toString()
                        .getBytes(StandardCharsets.UTF_8)
                        .length;
                if (bytes > Barrier.MAX_TEXT_BYTES) {
                    throw new OrderRefusedException("The barrier of " + plan.id() + " in the journal of " + nameservice
                            + " may need " + bytes + " bytes when it is restored, the limit is "
                            + Barrier.MAX_TEXT_BYTES + ": the names of its "
                            + plan.nameservices().size()
                            + " nameservices are too long together; make checkpoints of fewer of them");
                }
            }
        }
    }

    private static Manifest longest(CheckpointPlan plan, String nameservice, String nameNode) {
        long number = Long.MAX_VALUE;
        return Manifest.of(
                        Agreement.of(
                                plan.id(), number, number, plan.timeServer(), new ArrayList<>(plan.nameservices())),
                        Cut.builder()
                                .nameservice(nameservice)
                                .nameNode(nameNode)
                                .txId(number)
                                .imageTxId(number)
                                .files(number)
                                .blocks(number)
                                .snapshot(
                                        plan.protectData()
                                                ? Optional.of(HdfsNamesystem.snapshot(plan.id()))
                                                : Optional.<String>empty())
                                .waitedMicros(number)
                                .cutMicros(number)
                                .frozenMicros(number)
                                .build())
                .longestForm();
    }
}
