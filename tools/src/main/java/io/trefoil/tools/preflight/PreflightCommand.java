/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.preflight;

import io.trefoil.tools.cluster.HostPlan;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.Json;
import io.trefoil.tools.output.Table;
import io.trefoil.tools.output.VersionOfJar;
import java.io.PrintWriter;
import java.nio.file.Paths;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code trefoil preflight}: checks this host before a NameNode is started on it. */
@Command(
        name = "preflight",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Checks whether this host is ready for its NameNode: names, ports, disks and the time of their "
                    + "syncs, the clocks and ports of the other hosts, ZooKeeper, keytabs, sites, the class "
                    + "path and its Hadoop, ZKFCs left running, swap. Says for each finding what to do.",
            "Run it as the user of the NameNode. Changes nothing; writes and deletes one small file in"
                    + " trefoil.journal.dir."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no problem was found",
            "1:there is a problem: the output says what to do",
            "2:the command line or the configuration is wrong"
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil preflight",
            "  hdfs trefoil preflight --linkage",
            "  hdfs trefoil preflight --json | jq .findings"
        })
public final class PreflightCommand implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final Installation installation;
    private final List<Check> checks;
    private final LinkageCheck linkage;

    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "Print JSON instead of a table.")
    private boolean json;

    @Option(
            names = "--linkage",
            description =
                    "Check only whether this host's Hadoop has every class, method and field that Trefoil uses; needs"
                            + " no configuration.")
    private boolean linkageOnly;

    public PreflightCommand(Installation installation) {
        this(
                installation,
                checks(new Processes(Paths.get("/proc"))),
                new LinkageCheck(installation.hadoopVersion(), installation::missingHadoopMembers));
    }

    PreflightCommand(Installation installation, List<Check> checks, LinkageCheck linkage) {
        this.installation = installation;
        this.checks = checks;
        this.linkage = linkage;
    }

    static List<Check> checks(Processes processes) {
        return Arrays.asList(
                new ClassesCheck(PreflightCommand.class.getClassLoader()),
                new SettingsCheck(),
                new PortsCheck(processes),
                new DiskCheck(System::nanoTime),
                new PeerHostsCheck(Clock.systemUTC(), TIMEOUT),
                new ZooKeeperCheck(TIMEOUT),
                new KeytabsCheck(),
                new SitesCheck(),
                new HostCheck(processes),
                JavaCheck.ofThisJvm(),
                new UserCheck(System.getProperty("user.name")));
    }

    @Override
    public Integer call() {
        Map<String, List<PreflightFinding>> findings = new LinkedHashMap<>();
        if (linkageOnly) {
            findings.put(LinkageCheck.NAME, linkage.findings());
            return printFindings("Trefoil", "Trefoil runs on this Hadoop", findings);
        }
        HostPlan plan;
        try {
            plan = installation.hostPlan();
            findings.put(LinkageCheck.NAME, linkage.findings());
            for (Check check : checks) {
                findings.put(check.name(), check.check(plan));
            }
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        return printFindings(plan.nameNode(), plan.nameNode() + " may start here", findings);
    }

    /** @param okText the verdict if there is no problem */
    private int printFindings(String nameNodeId, String okText, Map<String, List<PreflightFinding>> findings) {
        long problems = findings.values().stream()
                .flatMap(List::stream)
                .filter(finding -> finding.level() == PreflightFinding.Level.PROBLEM)
                .count();
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                json
                        ? Json.text(fields(nameNodeId, findings, problems))
                        : text(nameNodeId, okText, findings, problems));
        return problems == 0 ? ExitCode.FINE : ExitCode.FINDING;
    }

    private static Map<String, Object> fields(
            String nameNodeId, Map<String, List<PreflightFinding>> groupedFindings, long problems) {
        List<Map<String, Object>> findings = new ArrayList<>();
        groupedFindings.forEach((check, seen) -> seen.forEach(finding -> {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("check", check);
            fields.put("level", finding.level().text());
            fields.put("text", finding.text());
            fields.put("remedy", finding.remedy());
            findings.add(fields);
        }));
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("nameNode", nameNodeId);
        all.put("problems", problems);
        all.put("findings", findings);
        return all;
    }

    private static String text(
            String nameNodeId, String okText, Map<String, List<PreflightFinding>> findings, long problems) {
        Table table = new Table("CHECK", "LEVEL", "FOUND");
        StringBuilder remedies = new StringBuilder();
        findings.forEach((check, seen) -> seen.forEach(finding -> {
            table.row(check, finding.level().text(), finding.text());
            if (!finding.remedy().isEmpty()) {
                remedies.append(finding.text())
                        .append("\n  do: ")
                        .append(finding.remedy())
                        .append('\n');
            }
        }));
        String verdict = problems == 0
                ? okText + "\n"
                : problems + (problems == 1 ? " problem" : " problems") + " for " + nameNodeId + "\n";
        return table + remedies.toString() + verdict;
    }
}
