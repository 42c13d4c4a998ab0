/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.access;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.AwaitCommitRequest;
import io.trefoil.journal.protocol.ChangeMembersRequest;
import io.trefoil.journal.protocol.CollectChangesRequest;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.ForwardRequest;
import io.trefoil.journal.protocol.ImagePartRequest;
import io.trefoil.journal.protocol.ImagesRequest;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.PurgeRequest;
import io.trefoil.journal.protocol.RebaseRequest;
import io.trefoil.journal.protocol.RetireRequest;
import io.trefoil.journal.protocol.SegmentsRequest;
import io.trefoil.journal.protocol.StartOverRequest;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.protocol.StepDownRequest;
import io.trefoil.journal.transport.Hello.CallerRole;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** A row of the table in {@code docs/design/security.md}: what a request requires. Immutable. */
@AutoValue
public abstract class RequestRule {

    private static final RequestRule NEW_EPOCH = ofWriter("NEW_EPOCH");
    private static final RequestRule APPEND = ofWriter("APPEND");
    private static final RequestRule COMMIT = ofWriter("COMMIT");
    private static final RequestRule STEP_DOWN = ofWriter("STEP_DOWN");
    private static final RequestRule REBASE = ofWriter("REBASE");
    private static final RequestRule PURGE = ofWriter("PURGE");
    private static final RequestRule COLLECT_CHANGES = ofWriter("COLLECT_CHANGES");
    private static final RequestRule RETIRE = ofWriter("RETIRE");
    /**
     * The rule for formatting, sent by {@code -format} in a session for reading, and by the writer to a node that
     * joins.
     */
    private static final RequestRule FORMAT =
            of("FORMAT", AccessRight.WRITE, EnumSet.of(CallerRole.WRITER, CallerRole.READER));

    private static final RequestRule FETCH = ofReader("FETCH", AccessRight.READ);
    /** Sent in writers' sessions too: a writer asks a node of another incarnation what it holds of that incarnation. */
    private static final RequestRule STATUS =
            of("STATUS", AccessRight.READ, EnumSet.of(CallerRole.WRITER, CallerRole.READER));

    private static final RequestRule AWAIT_COMMIT = ofReader("AWAIT_COMMIT", AccessRight.READ);
    private static final RequestRule SEGMENTS = ofReader("SEGMENTS", AccessRight.READ);
    private static final RequestRule IMAGES = ofReader("IMAGES", AccessRight.READ);
    private static final RequestRule IMAGE_PART = ofReader("IMAGE_PART", AccessRight.READ);
    private static final RequestRule FORWARD = ofReader("FORWARD", AccessRight.FORWARD);
    private static final RequestRule JOIN = ofReader("CHANGE_MEMBERS to join", AccessRight.JOIN);
    private static final RequestRule CHANGE_MEMBERS = ofReader("CHANGE_MEMBERS", AccessRight.ADMINISTER);
    private static final RequestRule START_OVER = ofReader("START_OVER", AccessRight.ADMINISTER);

    private static final Finder FINDER = new Finder();

    private static RequestRule ofWriter(String request) {
        return of(request, AccessRight.WRITE, EnumSet.of(CallerRole.WRITER));
    }

    private static RequestRule ofReader(String request, AccessRight right) {
        return of(request, right, EnumSet.of(CallerRole.READER));
    }

    private static RequestRule of(String request, AccessRight right, Set<CallerRole> roles) {
        return new AutoValue_RequestRule(request, right, Collections.unmodifiableSet(roles));
    }

    /** Returns the rule for a request. */
    public static RequestRule of(PoolRequest request) {
        return request.dispatch(FINDER);
    }

    /** The name of the request in the protocol. */
    public abstract String request();

    /** The right that the caller must have. */
    public abstract AccessRight requiredRight();

    /** The kinds of sessions in which it is allowed. */
    public abstract Set<CallerRole> roles();

    /** The rule for each kind of request: a new kind does not compile until it has one. */
    private static final class Finder implements PoolRequest.Handler<RequestRule, RuntimeException> {
        @Override
        public RequestRule on(NewEpochRequest request) {
            return NEW_EPOCH;
        }

        @Override
        public RequestRule on(AppendRequest request) {
            return APPEND;
        }

        @Override
        public RequestRule on(CommitRequest request) {
            return COMMIT;
        }

        @Override
        public RequestRule on(StepDownRequest request) {
            return STEP_DOWN;
        }

        @Override
        public RequestRule on(RebaseRequest request) {
            return REBASE;
        }

        @Override
        public RequestRule on(FetchRequest request) {
            return FETCH;
        }

        @Override
        public RequestRule on(StatusRequest request) {
            return STATUS;
        }

        @Override
        public RequestRule on(AwaitCommitRequest request) {
            return AWAIT_COMMIT;
        }

        @Override
        public RequestRule on(SegmentsRequest request) {
            return SEGMENTS;
        }

        @Override
        public RequestRule on(FormatRequest request) {
            return FORMAT;
        }

        @Override
        public RequestRule on(PurgeRequest request) {
            return PURGE;
        }

        @Override
        public RequestRule on(ChangeMembersRequest request) {
            return request.change().kind() == MemberChange.Kind.JOIN ? JOIN : CHANGE_MEMBERS;
        }

        @Override
        public RequestRule on(CollectChangesRequest request) {
            return COLLECT_CHANGES;
        }

        @Override
        public RequestRule on(RetireRequest request) {
            return RETIRE;
        }

        @Override
        public RequestRule on(StartOverRequest request) {
            return START_OVER;
        }

        @Override
        public RequestRule on(ImagesRequest request) {
            return IMAGES;
        }

        @Override
        public RequestRule on(ImagePartRequest request) {
            return IMAGE_PART;
        }

        @Override
        public RequestRule on(ForwardRequest request) {
            return FORWARD;
        }
    }
}
