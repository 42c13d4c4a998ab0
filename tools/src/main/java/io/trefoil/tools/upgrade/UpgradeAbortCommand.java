/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.upgrade;

import io.trefoil.tools.cluster.NameNodes;
import io.trefoil.tools.group.GroupOptions;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code trefoil upgrade abort}: ends an upgrade in its current state. */
@Command(
        name = "abort",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description =
                "Undrains all NameNodes that are drained, so that every NameNode may become active again, and says which versions run and what is the"
                        + " way back. Stops and restarts nothing; two versions may run together for as long as you like.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no NameNode is drained",
            "1:refused; the output says why",
            "2:the command line or the configuration is wrong",
            "3:no NameNode answers"
        },
        footer = {"", "Examples:", "  hdfs trefoil upgrade abort"})
public final class UpgradeAbortCommand implements Callable<Integer> {

    @Mixin
    private final GroupOptions options;

    public UpgradeAbortCommand(NameNodes nameNodes) {
        options = new GroupOptions(nameNodes);
    }

    @Override
    public Integer call() throws IOException {
        ObservedCluster now = ObservedCluster.of(options.queryStatus().document());
        List<String> undrained = new ArrayList<>();
        for (ObservedNameNode node : now.drained()) {
            options.elections().undrain(node.name());
            undrained.add(node.name());
        }
        Map<String, List<String>> versions = now.members().stream()
                .collect(Collectors.groupingBy(
                        ObservedNameNode::version,
                        TreeMap::new,
                        Collectors.mapping(ObservedNameNode::name, Collectors.toList())));
        options.print(
                () -> {
                    Map<String, Object> object = new LinkedHashMap<>();
                    object.put("undrained", undrained);
                    object.put("versions", versions);
                    return object;
                },
                () -> text(undrained, versions));
        return ExitCode.FINE;
    }

    private static String text(List<String> undrained, Map<String, List<String>> versions) {
        StringBuilder text = new StringBuilder(
                undrained.isEmpty()
                        ? "No NameNode was drained\n"
                        : "No longer drained: " + String.join(", ", undrained) + "\n");
        versions.forEach((version, names) -> text.append(String.join(", ", names))
                .append(names.size() == 1 ? " runs " : " run ")
                .append(version)
                .append('\n'));
        if (versions.size() > 1) {
            text.append("To go on, or to go back, install the version that is wanted on all hosts, and type"
                    + " 'hdfs trefoil upgrade plan'\n");
        }
        return text.toString();
    }
}
