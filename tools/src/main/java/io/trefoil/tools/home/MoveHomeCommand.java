/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.home;

import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.group.GroupOptions;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.TimeOption;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pool.MemberChangeClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trefoil move-home}: moves the voters and the active of a nameservice to another site. */
@Command(
        name = "move-home",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Moves the home of a nameservice to another site, while clients go on: all members of the journal there "
                    + "become voters, one of its NameNodes the active, and the voters elsewhere learners.",
            "Nothing that was acknowledged is lost. If it is interrupted, run it again; to go back, name the old site."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the home is there, or with --dry-run could move there",
            "1:refused, or not done in time; the output says why",
            "2:the command line or the configuration is wrong",
            "3:no NameNode answers"
        },
        footer = {"", "Examples:", "  hdfs trefoil move-home east --dry-run", "  hdfs trefoil move-home east"})
public final class MoveHomeCommand implements Callable<Integer> {

    private final Installation installation;

    @Mixin
    private final GroupOptions options;

    @Parameters(paramLabel = "SITE", description = "The site that is to be the home.")
    private String site;

    @Option(names = "--dry-run", description = "Show the steps, and change nothing.")
    private boolean dryRun;

    @Option(names = "--force", description = "Also if the journal would have fewer voters than before.")
    private boolean force;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "10m",
            description =
                    "How long each step may take, as 1h, or a number of seconds: a learner may have much to catch up; "
                            + "${DEFAULT-VALUE} if not given.")
    private String wait;

    @Spec
    private CommandSpec command;

    public MoveHomeCommand(Installation installation) {
        this.installation = installation;
        options = new GroupOptions(installation.nameNodes());
    }

    @Override
    public Integer call() throws IOException {
        Duration timeout = TimeOption.parseWait(command, wait);
        SiteLayout now = observe();
        Optional<String> obstacle = HomePlanner.obstacle(now, site, force);
        if (obstacle.isPresent()) {
            throw new OrderRefusedException("Refused: " + obstacle.get());
        }
        List<HomeStep> steps = HomePlanner.remainingSteps(now, site);
        if (dryRun) {
            options.print(() -> planJson(steps), () -> plan(steps));
            return ExitCode.FINE;
        }
        SiteLayout newLayout = move(timeout);
        options.print(() -> toJson(newLayout), () -> text(newLayout, drained(now)));
        return ExitCode.FINE;
    }

    private SiteLayout observe() throws IOException {
        return SiteLayout.of(options.queryStatus().document());
    }

    private SiteLayout move(Duration timeout) throws IOException {
        String nameservice = options.nameservice();
        JournalLocation location = installation.find(Optional.of(nameservice));
        try (PoolAdminClient inquiry = openAdminClient(location)) {
            MemberChangeClient members = new MemberChangeClient(location, inquiry, timeout, this::print);
            HomeMover.HomeMoveBlockers obstacles = now -> HomePlanner.obstacle(now, site, force);
            return new HomeMover(this::observe, obstacles, members, options.elections(), timeout, this::print)
                    .moveTo(site);
        }
    }

    private PoolAdminClient openAdminClient(JournalLocation location) {
        try {
            return installation.openAdminClient(location, options.timeout());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    private void print(String progress) {
        PrintWriter err = command.commandLine().getErr();
        err.println(progress);
        err.flush();
    }

    private String plan(List<HomeStep> steps) {
        if (steps.isEmpty()) {
            return "The home is at " + site + " already\n";
        }
        return steps.stream().map(step -> step.text() + "\n").collect(Collectors.joining())
                + "\nNothing was changed. To do it, leave --dry-run out\n";
    }

    private static Map<String, Object> planJson(List<HomeStep> steps) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("steps", steps.stream().map(HomeStep::text).collect(Collectors.toList()));
        return object;
    }

    private static List<String> voters(SiteLayout newLayout) {
        return newLayout.membersMatching(PoolMember::isVoter).stream()
                .map(member -> member.address().toString())
                .collect(Collectors.toList());
    }

    private static List<String> drained(SiteLayout earlierLayout) {
        return earlierLayout.nameNodes().stream()
                .filter(NameNodeObservation::isDrained)
                .map(NameNodeObservation::name)
                .collect(Collectors.toList());
    }

    /** @param drained the NameNodes that were drained before, perhaps by a run that was interrupted */
    private String text(SiteLayout newLayout, List<String> drained) {
        String active = newLayout.active().map(NameNodeObservation::name).orElse("no NameNode");
        StringBuilder text = new StringBuilder()
                .append("Done: the home is at ")
                .append(site)
                .append(", the voters are ")
                .append(voters(newLayout))
                .append(", the active is ")
                .append(active)
                .append('\n');
        for (NameNodeObservation observation : newLayout.nameNodes()) {
            if (observation.isPreferred()) {
                text.append(observation.name())
                        .append(
                                " is preferred in elections until 'hdfs trefoil prefer --clear': give the NameNodes of ")
                        .append(site)
                        .append(" the higher trefoil.ha.priority first\n");
            }
        }
        for (String name : drained) {
            text.append(name)
                    .append(" is drained; 'hdfs trefoil undrain ")
                    .append(name)
                    .append("' ends that\n");
        }
        return text.toString();
    }

    private Map<String, Object> toJson(SiteLayout newLayout) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("home", site);
        object.put("voters", voters(newLayout));
        object.put("active", newLayout.active().map(NameNodeObservation::name).orElse(""));
        return object;
    }
}
