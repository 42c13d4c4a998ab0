/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pin;

import io.trefoil.journal.hdfs.pin.PinService;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.image.PoolImages;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.TimeOption;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pool.JournalOptions;
import io.trefoil.tools.pool.survey.PoolStatus;
import io.trefoil.tools.pool.survey.PoolSurvey;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trefoil journal pin}: keeps the edits needed to restore to a transaction. */
@Command(
        name = "pin",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Keeps what is needed to go back to a transaction: the newest image at or below it that the pool "
                    + "has, and all transactions from there on. The pin is in the log, so every node knows it.",
            "Needs an active NameNode."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is pinned, or was before",
            "1:refused; the output says why",
            "2:the command line or the configuration is wrong",
            "3:no node answers"
        },
        footer = {"", "Examples:", "  hdfs trefoil journal pin 4711 --for 7d"})
public final class PinCommand implements Callable<Integer> {

    @Mixin
    private final JournalOptions options;

    @Parameters(paramLabel = "TXID", description = "A transaction that is in the journal.")
    private long txId;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description = "After how long it is released by itself, as 30m, 12h, 7d; if not given, only by unpin.")
    private String duration;

    @Spec
    private CommandSpec command;

    public PinCommand(Installation installation) {
        options = new JournalOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        if (txId < 1) {
            throw new ParameterException(command.commandLine(), "TXID is at least 1, got " + txId);
        }
        Optional<Duration> time = time();
        JournalLocation place = options.find();
        PinService pins = options.openPinService(place);
        Optional<ImageId> image;
        Set<NodeAddress> silentNodes;
        try (PoolAdminClient inquiry = options.openAdminClient(place)) {
            PoolStatus status = PoolSurvey.of(place, inquiry, Long.MAX_VALUE);
            PoolImages images = PoolImages.of(status, inquiry);
            silentNodes = images.failuresByNode().keySet();
            image = images.ids().stream().filter(id -> id.txId() <= txId).findFirst();
        }
        long keepFrom = image.map(id -> id.txId() + 1).orElse(txId);
        String result = pins.pin(txId, keepFrom, time);
        String note =
                image.map(id -> "A restore to it begins with the " + id).orElseGet(() -> noImageText(silentNodes));
        options.print(() -> json(result, image, keepFrom), () -> result + "\n" + note + "\n");
        // The pin protects what it can; but a node that is silent may have the image from which a restore would begin.
        return image.isPresent() || silentNodes.isEmpty() ? ExitCode.FINE : ExitCode.FINDING;
    }

    private static String noImageText(Set<NodeAddress> silentNodes) {
        return silentNodes.isEmpty()
                ? "The pool has no image at or below it: only transactions are kept"
                : "No node that answers has an image at or below it: only transactions are kept. " + silentNodes
                        + " may have one: when they answer again, unpin it, and pin it again";
    }

    private Map<String, Object> json(String result, Optional<ImageId> image, long keepFrom) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("txId", txId);
        object.put("keepFrom", keepFrom);
        object.put("image", image.map(ImageId::txId).orElse(null));
        object.put("done", result);
        return object;
    }

    private Optional<Duration> time() {
        return Optional.ofNullable(duration).map(text -> TimeOption.parse(command, "--for", text));
    }
}
