/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pin;

import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Pin;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.Table;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pool.JournalOptions;
import io.trefoil.tools.pool.survey.PoolStatus;
import io.trefoil.tools.pool.survey.PoolSurvey;
import io.trefoil.tools.pool.survey.PoolText;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code trefoil journal pins}: lists pins, with what they keep and for whom. */
@Command(
        name = "pins",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Shows the pins of operators and of NameNodes that are being renewed, as the nodes have them. Changes nothing.",
            "Barriers of checkpoints keep transactions as well: \"checkpoint list\" shows them."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:this is all",
            "1:no majority of the nodes answers: there may be others",
            "2:the command line or the configuration is wrong",
            "3:no node answers"
        },
        footer = {"", "Examples:", "  hdfs trefoil journal pins --json"})
public final class PinsCommand implements Callable<Integer> {

    private static final String NO_EXPIRY = "unpinned";

    @Mixin
    private final JournalOptions options;

    public PinsCommand(Installation installation) {
        options = new JournalOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        JournalLocation place = options.find();
        PoolStatus status;
        try (PoolAdminClient inquiry = options.openAdminClient(place)) {
            status = PoolSurvey.of(place, inquiry, Long.MAX_VALUE);
        }
        List<Pin> pins = new ArrayList<>();
        for (Barrier barrier : status.highestCommitted().barriers().list()) {
            Pin.of(barrier).ifPresent(pins::add);
        }
        options.print(() -> json(pins), () -> table(status, pins));
        return status.hasMajority() ? ExitCode.FINE : ExitCode.FINDING;
    }

    private static String table(PoolStatus status, List<Pin> pins) {
        Table table = new Table("PIN", "TXID", "KEEPS FROM", "FOR", "UNTIL");
        for (Pin pin : pins) {
            table.row(
                    pin.barrier().name(),
                    Long.toString(pin.barrier().txId()),
                    Long.toString(pin.barrier().keepFrom()),
                    pin.owner(),
                    pin.expiry().map(Instant::toString).orElse(NO_EXPIRY));
        }
        return table
                + PoolText.noMajority(status)
                        .map(text -> text + "; there may be others\n")
                        .orElse("");
    }

    private static Map<String, Object> json(List<Pin> pins) {
        List<Object> list = new ArrayList<>();
        for (Pin pin : pins) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("name", pin.barrier().name());
            fields.put("txId", pin.barrier().txId());
            fields.put("keepFrom", pin.barrier().keepFrom());
            fields.put("owner", pin.owner());
            fields.put("until", pin.expiry().map(Instant::toString).orElse(null));
            list.add(fields);
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("pins", list);
        return object;
    }
}
