/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pool;

import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.ChangeProgress.Stage;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.TimeOption;
import io.trefoil.tools.pool.survey.PoolText;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Requests a change of a journal's members, for the commands that change members, and waits until it is committed. */
final class ChangeOptions {

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "5m",
            description =
                    "How long to wait until it is done, as 30s, or a number of seconds; ${DEFAULT-VALUE} if not given. "
                            + "Then nothing more is done for it; run the command again to go on.")
    private String time;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** The change that a command makes. */
    interface ChangeRequest {
        ChangeProgress requestFrom(MemberChangeClient changes) throws IOException;
    }

    /** Requests a change repeatedly until it ends or time is up. */
    int run(JournalOptions options, ChangeRequest request) throws IOException {
        Duration wait = TimeOption.parseWait(command, time);
        JournalLocation location = options.find();
        try (PoolAdminClient inquiry = options.openAdminClient(location)) {
            MemberChangeClient changes = new MemberChangeClient(location, inquiry, wait, this::print);
            ChangeProgress end = request.requestFrom(changes);
            Members members = changes.members();
            options.print(() -> json(location, end, members), () -> text(end));
            return end.stage() == Stage.DONE ? ExitCode.FINE : ExitCode.FINDING;
        }
    }

    private void print(String progress) {
        PrintWriter err = command.commandLine().getErr();
        err.println(progress);
        err.flush();
    }

    private static String text(ChangeProgress progress) {
        switch (progress.stage()) {
            case DONE:
                return "Done: " + progress.text() + "\n";
            case REFUSED:
                return "Refused: " + progress.text() + "\n";
            default:
                return "Not done: " + progress.text() + "\n";
        }
    }

    private static Map<String, Object> json(JournalLocation location, ChangeProgress progress, Members members) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("journal", location.journal().text());
        object.put("done", progress.stage() == Stage.DONE);
        object.put("refused", progress.stage() == Stage.REFUSED);
        object.put("text", progress.text());
        List<Object> list = new ArrayList<>();
        for (Member member : members.list()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("address", member.address().toString());
            one.put("role", PoolText.role(member));
            one.put("id", member.id().text());
            list.add(one);
        }
        object.put("members", list);
        return object;
    }
}
