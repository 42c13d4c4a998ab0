/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.upgrade;

import io.trefoil.tools.cluster.NameNodes;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.Table;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code trefoil upgrade plan}: reports which NameNode is next, and why that is safe now. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description =
                "Shows which version each NameNode runs, which one is next, and why it may be stopped now, or what has to come first."
                        + " Changes nothing.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:a NameNode may be stopped or undrained now, or all run the version",
            "1:nothing may be done now; the output says what is missing",
            "2:the command line or the configuration is wrong",
            "3:no NameNode answers"
        },
        footer = {"", "Examples:", "  hdfs trefoil upgrade plan", "  hdfs trefoil upgrade plan --to 1.1.0 --json"})
public final class UpgradePlanCommand implements Callable<Integer> {

    @Mixin
    private final UpgradeOptions options;

    public UpgradePlanCommand(NameNodes nameNodes) {
        options = new UpgradeOptions(nameNodes);
    }

    @Override
    public Integer call() throws IOException {
        String version = options.version();
        ObservedCluster cluster = options.observe();
        UpgradeStep step = UpgradePlanner.nextStep(cluster, version);
        options.group().print(() -> object(cluster, version, step), () -> text(cluster, step));
        return step.kind() == UpgradeStep.Kind.WAIT ? ExitCode.FINDING : ExitCode.FINE;
    }

    private static String text(ObservedCluster cluster, UpgradeStep step) {
        Table table = new Table("NAMENODE", "VERSION", "STATE", "LACKS");
        for (ObservedNameNode node : cluster.members()) {
            table.row(node.name(), node.version(), state(node), node.isReady() ? "-" : node.missing());
        }
        return table + "\n" + step.text() + "\n" + advice(step);
    }

    private static String state(ObservedNameNode nameNode) {
        String state = nameNode.state().isEmpty() ? "unknown" : nameNode.state();
        return nameNode.isDrained() ? state + ", drained" : state;
    }

    private static String advice(UpgradeStep step) {
        switch (step.kind()) {
            case STOP:
                return "Next: hdfs trefoil upgrade next " + step.nameNode().get() + "\n";
            case FINISH:
                return "Next: hdfs trefoil upgrade finish " + step.nameNode().get() + "\n";
            default:
                return "";
        }
    }

    private static Map<String, Object> object(ObservedCluster cluster, String version, UpgradeStep step) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("to", version);
        object.put("step", step.kind().name().toLowerCase(Locale.ROOT));
        object.put("nameNode", step.nameNode().orElse(""));
        object.put("text", step.text());
        List<Object> nameNodes = new ArrayList<>();
        for (ObservedNameNode node : cluster.members()) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("name", node.name());
            fields.put("version", node.version());
            fields.put("state", node.state());
            fields.put("drained", node.isDrained());
            fields.put("missing", node.missing());
            nameNodes.add(fields);
        }
        object.put("nameNodes", nameNodes);
        return object;
    }
}
