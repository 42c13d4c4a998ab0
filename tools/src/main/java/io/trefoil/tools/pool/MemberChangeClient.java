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
import io.trefoil.journal.model.RetiredStorage;
import io.trefoil.journal.pool.client.NodeAnswer;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.journal.protocol.ChangeMembersRequest;
import io.trefoil.journal.protocol.ChangeReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.pool.survey.NodeStatus;
import io.trefoil.tools.pool.survey.PoolStatus;
import io.trefoil.tools.pool.survey.PoolSurvey;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Requests changes of a journal's members, each repeatedly until it is committed, refused, or time is up.
 *
 * <p>Each method returns how far the change came; one that is not over when the time is leaves in place what was done
 * so far. Each surveys the pool first. Not thread-safe.
 */
public final class MemberChangeClient {

    private static final long ASK_AGAIN_MILLIS = 300;
    /** The longest time for which nodes may not yet have heard from an existing writer. */
    private static final long NO_WRITER_NANOS = 8_000_000_000L;

    private final JournalLocation location;
    private final PoolAdminClient adminClient;
    private final Duration timeout;
    private final Consumer<String> listener;

    /**
     * @param timeout how long each change may take
     * @param listener is notified of what a change waits for, whenever that changes
     */
    public MemberChangeClient(
            JournalLocation location, PoolAdminClient adminClient, Duration timeout, Consumer<String> listener) {
        this.location = location;
        this.adminClient = adminClient;
        this.timeout = timeout;
        this.listener = listener;
    }

    /** Makes a change for the pool's current state. */
    private interface ChangePlanner {
        /** @throws ChangeRefusedException if there is no need to ask a writer */
        MemberChange planFor(PoolStatus status, String ticket) throws IOException;
    }

    /** Thrown, with the reason, if no change is requested. */
    private static final class ChangeRefusedException extends IOException {
        private static final long serialVersionUID = 1;

        ChangeRefusedException(String reason) {
            super(reason);
        }
    }

    /** Makes a pool node a voter. */
    public ChangeProgress add(NodeAddress joiningNode) throws IOException {
        return add(joiningNode, MemberChange::add);
    }

    /** Makes a pool node a permanent learner. */
    public ChangeProgress addLearner(NodeAddress joiningNode) throws IOException {
        return add(joiningNode, MemberChange::addLearner);
    }

    private ChangeProgress add(NodeAddress joiningNode, BiFunction<String, NodeAddress, MemberChange> change)
            throws IOException {
        return request((status, ticket) -> {
            refuseUnlessReady(status, joiningNode);
            return change.apply(ticket, joiningNode);
        });
    }

    /**
     * Removes a member.
     *
     * @param leavingNode its address or the id of its storage
     */
    public ChangeProgress remove(String leavingNode) throws IOException {
        return remove(leavingNode, MemberChange::remove);
    }

    /** Removes a member even if fewer voters remain than a new active waits for. */
    ChangeProgress forceRemoval(String leavingNode) throws IOException {
        return remove(leavingNode, MemberChange::forcedRemove);
    }

    private ChangeProgress remove(String leavingNode, BiFunction<String, NodeId, MemberChange> change)
            throws IOException {
        return request((status, ticket) -> change.apply(ticket, findMember(status.members(), leavingNode)));
    }

    /** Makes a pool node a voter in place of a member. */
    ChangeProgress replace(String leavingNode, NodeAddress joiningNode) throws IOException {
        return request((status, ticket) -> {
            NodeId id = findMember(status.members(), leavingNode);
            refuseUnlessReady(status, joiningNode);
            return MemberChange.replace(ticket, id, joiningNode);
        });
    }

    private ChangeProgress request(ChangePlanner planned) throws IOException {
        String ticket = UUID.randomUUID().toString();
        PoolStatus status = PoolSurvey.of(location, adminClient, Long.MAX_VALUE);
        try {
            return await(planned.planFor(status, ticket), ticket, answeringNodes(status));
        } catch (ChangeRefusedException e) {
            return ChangeProgress.of(ticket, Stage.REFUSED, e.getMessage());
        }
    }

    /** The members currently known to the pool. */
    Members members() throws IOException {
        return PoolSurvey.of(location, adminClient, Long.MAX_VALUE).members();
    }

    /** Finds a member, or a removed one; for the latter, the writer answers that the change is done. */
    private static NodeId findMember(Members members, String text) throws IOException {
        for (Member member : members.list()) {
            if (member.address().toString().equals(text) || member.id().text().equals(text)) {
                return member.id();
            }
        }
        for (RetiredStorage gone : members.retiredStorages()) {
            boolean removed = gone.cause() == RetiredStorage.Cause.REMOVED;
            if ((removed && gone.address().toString().equals(text))
                    || gone.id().text().equals(text)) {
                return gone.id();
            }
        }
        throw new ChangeRefusedException(text + " is not a member; name one by its address: "
                + members.list().stream()
                        .map(member -> member.address().toString())
                        .collect(Collectors.joining(", ")));
    }

    /** Refuses at once a change for which the writer could only wait. */
    private void refuseUnlessReady(PoolStatus status, NodeAddress joiningNode) throws IOException {
        NodeAnswer answer = adminClient
                .query(Collections.singletonList(joiningNode), StatusRequest.create())
                .get(joiningNode);
        if (!answer.reply().isPresent()) {
            throw new ChangeRefusedException(
                    "No pool node answers at " + joiningNode + ", start it first: " + answer.failureReason());
        }
        PoolReply reply = answer.reply().get();
        if (reply instanceof FailedReply) {
            throw new ChangeRefusedException(
                    "The pool node at " + joiningNode + " can do nothing: " + ((FailedReply) reply).reason());
        }
        boolean foreign = reply instanceof StatusReply
                && !((StatusReply) reply).namespace().equals(status.namespace());
        if (foreign) {
            throw new ChangeRefusedException(joiningNode + " holds a journal of this name of "
                    + ((StatusReply) reply).namespace() + ", these members are of " + status.namespace());
        }
    }

    private static Set<NodeAddress> answeringNodes(PoolStatus status) {
        Set<NodeAddress> answering = new LinkedHashSet<>();
        for (NodeStatus node : status.nodes()) {
            if (!node.isDown()) {
                answering.add(node.address());
            }
        }
        return answering;
    }

    private ChangeProgress await(MemberChange change, String ticket, Collection<NodeAddress> nodes) throws IOException {
        long beganNanos = System.nanoTime();
        String said = "";
        while (true) {
            ChangeProgress progress = latestProgress(ticket, adminClient.query(nodes, ChangeMembersRequest.of(change)));
            long passedNanos = System.nanoTime() - beganNanos;
            boolean hopeless = progress.stage() == Stage.NO_WRITER && passedNanos > NO_WRITER_NANOS;
            if (progress.isFinished() || hopeless || passedNanos > timeout.toNanos()) {
                return progress;
            }
            if (progress.stage() == Stage.UNDER_WAY && !progress.text().equals(said)) {
                said = progress.text();
                listener.accept(said);
            }
            pause();
        }
    }

    /** The furthest progress that the nodes report: the end if a node knows it, else the progress that the writer reported. */
    private static ChangeProgress latestProgress(String ticket, Map<NodeAddress, NodeAnswer> answers) {
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
}
