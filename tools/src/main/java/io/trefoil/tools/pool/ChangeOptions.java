/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pool;

import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.ChangeProgress.Stage;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Retired;
import io.trefoil.journal.pool.client.NodeAnswer;
import io.trefoil.journal.pool.client.PoolInquiry;
import io.trefoil.journal.protocol.ChangeMembersRequest;
import io.trefoil.journal.protocol.ChangeReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.tools.cluster.JournalPlace;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.pool.survey.NodeStatus;
import io.trefoil.tools.pool.survey.PoolStatus;
import io.trefoil.tools.pool.survey.PoolSurvey;
import io.trefoil.tools.pool.survey.PoolText;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How the commands that change a journal's members request a change and wait until it is committed. */
final class ChangeOptions {

    private static final long ASK_AGAIN_MILLIS = 300;
    /** How long nodes may not yet have heard of an existing writer. */
    private static final long NO_WRITER_NANOS = 8_000_000_000L;

    /** Identifies this run of the command. */
    private final String ticket = UUID.randomUUID().toString();

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "300",
            description = "How long to wait until it is done; ${DEFAULT-VALUE} if not given. Then nothing more "
                    + "is done for it; run the command again to go on.")
    private int waitSeconds;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** Makes a change for the pool's present state. */
    interface Planned {
        /** @throws ChangeRefusedException if there is no need to ask a writer */
        MemberChange of(Situation situation) throws IOException;
    }

    /** The pool's state before the change, and a way to ask its nodes. Immutable. */
    static final class Situation {
        private final PoolStatus status;
        private final PoolInquiry inquiry;

        Situation(PoolStatus status, PoolInquiry inquiry) {
            this.status = status;
            this.inquiry = inquiry;
        }
    }

    /** The reason why the command does not request a change. */
    private static final class ChangeRefusedException extends IOException {
        private static final long serialVersionUID = 1;

        ChangeRefusedException(String why) {
            super(why);
        }
    }

    MemberChange adding(Situation situation, NodeAddress joining, boolean learner) throws IOException {
        refuseUnlessReady(situation, joining);
        return learner ? MemberChange.addLearner(ticket, joining) : MemberChange.add(ticket, joining);
    }

    MemberChange removing(Situation situation, String leaving, boolean force) throws IOException {
        NodeId id = find(situation.status.members(), leaving);
        return force ? MemberChange.forcedRemove(ticket, id) : MemberChange.remove(ticket, id);
    }

    MemberChange replacing(Situation situation, String leaving, NodeAddress joining) throws IOException {
        NodeId id = find(situation.status.members(), leaving);
        refuseUnlessReady(situation, joining);
        return MemberChange.replace(ticket, id, joining);
    }

    /** Finds a member, or a removed one; for the latter the writer answers that the change is done. */
    private static NodeId find(Members members, String text) throws IOException {
        for (Member member : members.list()) {
            if (member.address().toString().equals(text) || member.id().text().equals(text)) {
                return member.id();
            }
        }
        for (Retired gone : members.retired()) {
            boolean removed = gone.cause() == Retired.Cause.REMOVED;
            if ((removed && gone.address().toString().equals(text))
                    || gone.id().text().equals(text)) {
                return gone.id();
            }
        }
        throw new ChangeRefusedException(text + " is not a member, the members are: " + members.list());
    }

    /** Refuses at once what the writer could only wait for. */
    private static void refuseUnlessReady(Situation situation, NodeAddress joining) throws IOException {
        NodeAnswer answer = situation
                .inquiry
                .ask(Collections.singletonList(joining), StatusRequest.create())
                .get(joining);
        if (!answer.reply().isPresent()) {
            throw new ChangeRefusedException(
                    "No pool node answers at " + joining + ", start it first: " + answer.trouble());
        }
        PoolReply reply = answer.reply().get();
        if (reply instanceof FailedReply) {
            throw new ChangeRefusedException(
                    "The pool node at " + joining + " can do nothing: " + ((FailedReply) reply).reason());
        }
        boolean foreign = reply instanceof StatusReply
                && !((StatusReply) reply).namespace().equals(situation.status.namespace());
        if (foreign) {
            throw new ChangeRefusedException(joining + " holds a journal of this name of "
                    + ((StatusReply) reply).namespace() + ", these members are of " + situation.status.namespace());
        }
    }

    /** Requests a change repeatedly until it ends or the time is over. */
    int run(JournalOptions options, Planned planned) throws IOException {
        if (waitSeconds < 0) {
            throw new ParameterException(command.commandLine(), "--wait is at least 0 seconds, got " + waitSeconds);
        }
        JournalPlace place = options.find();
        try (PoolInquiry inquiry = options.ask(place)) {
            PoolStatus status = PoolSurvey.of(place, inquiry, Long.MAX_VALUE);
            ChangeProgress end;
            try {
                MemberChange change = planned.of(new Situation(status, inquiry));
                end = await(change, inquiry, answering(status));
            } catch (ChangeRefusedException e) {
                end = ChangeProgress.of(ticket, Stage.REFUSED, e.getMessage());
            }
            Members members = PoolSurvey.of(place, inquiry, Long.MAX_VALUE).members();
            ChangeProgress said = end;
            options.print(() -> json(place, said, members), () -> text(said));
            return said.stage() == Stage.DONE ? ExitCode.FINE : ExitCode.FINDING;
        }
    }

    private static Set<NodeAddress> answering(PoolStatus status) {
        Set<NodeAddress> answering = new LinkedHashSet<>();
        for (NodeStatus node : status.nodes()) {
            if (!node.isDown()) {
                answering.add(node.address());
            }
        }
        return answering;
    }

    private ChangeProgress await(MemberChange change, PoolInquiry inquiry, Collection<NodeAddress> nodes)
            throws IOException {
        long beganNanos = System.nanoTime();
        PrintWriter err = command.commandLine().getErr();
        String said = "";
        while (true) {
            ChangeProgress progress = furthest(inquiry.ask(nodes, ChangeMembersRequest.of(change)));
            long passedNanos = System.nanoTime() - beganNanos;
            boolean hopeless = progress.stage() == Stage.NO_WRITER && passedNanos > NO_WRITER_NANOS;
            if (progress.isOver() || hopeless || passedNanos > waitSeconds * 1_000_000_000L) {
                return progress;
            }
            if (progress.stage() == Stage.UNDER_WAY && !progress.text().equals(said)) {
                said = progress.text();
                err.println(said);
                err.flush();
            }
            pause();
        }
    }

    /** The furthest progress that the nodes report: the end if a node knows it, else what the writer reported. */
    private ChangeProgress furthest(Map<NodeAddress, NodeAnswer> answers) {
        ChangeProgress furthest = ChangeProgress.of(ticket, Stage.NO_WRITER, "no member of the journal answers");
        for (NodeAnswer answer : answers.values()) {
            Optional<PoolReply> reply = answer.reply();
            if (reply.isPresent() && reply.get() instanceof ChangeReply) {
                ChangeProgress progress = ((ChangeReply) reply.get()).progress();
                furthest = progress.stage().compareTo(furthest.stage()) >= 0 ? progress : furthest;
            }
        }
        return furthest;
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(ASK_AGAIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("Interrupted while waiting for the change");
            interrupted.initCause(e);
            throw interrupted;
        }
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

    private static Map<String, Object> json(JournalPlace place, ChangeProgress progress, Members members) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("journal", place.journal().text());
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
