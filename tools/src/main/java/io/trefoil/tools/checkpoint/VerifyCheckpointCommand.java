/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.Checkpoints;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.tools.checkpoint.text.CheckpointText;
import io.trefoil.tools.output.ExitCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trefoil checkpoint verify}: checks whether a checkpoint can be relied on. */
@Command(
        name = "verify",
        description = {
            "Reads all edits that a checkpoint needs, has every NameNode read its image, and checks that the "
                    + "snapshots that protect its data exist.",
            "With --deep, on the host of a NameNode, it also loads the image and the edits of that nameservice."
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil checkpoint verify",
            "  hdfs trefoil checkpoint verify nightly.7f3a9c12 --deep"
        })
final class VerifyCheckpointCommand implements Callable<Integer> {

    @Mixin
    private final CheckpointOptions options;

    @Parameters(
            paramLabel = "ID",
            arity = "0..1",
            description = "Its id, or its name if there is one of that name; the newest if not given.")
    private String id;

    @Option(
            names = "--deep",
            description =
                    "Load this host's part as a starting NameNode does, which takes as much memory and " + "time.")
    private boolean deep;

    public VerifyCheckpointCommand(Supplier<Checkpoints> checkpoints) {
        options = new CheckpointOptions(checkpoints);
    }

    @Override
    public Integer call() throws IOException {
        Checkpoints checkpoints = deep ? options.hostCheckpoints() : options.checkpoints();
        Checkpoint checkpoint = id == null ? options.findNewest() : options.find(id);
        Map<String, List<String>> findings = new TreeMap<>();
        for (String nameservice : checkpoint.missingNameservices()) {
            findings.put(nameservice, Collections.singletonList("no barrier: the checkpoint does not count"));
        }
        for (Manifest part : checkpoint.manifests().values()) {
            List<String> found = checkpoints.verify(checkpoint, part);
            if (!found.isEmpty()) {
                findings.put(part.cut().nameservice(), new ArrayList<>(found));
            }
        }
        if (deep) {
            checkpoints.verifyDeep(checkpoint).forEach((nameservice, found) -> findings.computeIfAbsent(
                            nameservice, none -> new ArrayList<>())
                    .add(found));
        }
        options.print(() -> json(checkpoint, findings), () -> text(checkpoint, findings));
        return findings.isEmpty() ? ExitCode.FINE : ExitCode.FINDING;
    }

    private static ObjectNode json(Checkpoint checkpoint, Map<String, List<String>> findings) {
        ObjectNode object = CheckpointText.json(checkpoint);
        ObjectNode all = object.putObject("findings");
        findings.forEach((nameservice, texts) -> {
            ArrayNode array = all.putArray(nameservice);
            texts.forEach(array::add);
        });
        return object;
    }

    private static String text(Checkpoint checkpoint, Map<String, List<String>> findings) {
        StringBuilder text = new StringBuilder(CheckpointText.of(checkpoint));
        findings.forEach((nameservice, texts) -> texts.forEach(
                line -> text.append(nameservice).append(": ").append(line).append('\n')));
        return text.append(findings.isEmpty() ? "everything that it needs is there\n" : "it cannot be relied on\n")
                .toString();
    }
}
