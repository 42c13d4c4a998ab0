/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.codec.field;

import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The fields of a change of the members and of its progress, as messages carry them. Stateless. */
public final class ChangeFields {

    private static final int MIN_CHANGE_LENGTH = 2 + 1 + 1 + 1;
    private static final int MIN_PROGRESS_LENGTH = 2 + 1 + 2;

    /** Codes are positions, from 1; they never change their meaning. */
    private static final MemberChange.Kind[] KINDS = {
        MemberChange.Kind.JOIN,
        MemberChange.Kind.ADD,
        MemberChange.Kind.REMOVE,
        MemberChange.Kind.FORCED_REMOVE,
        MemberChange.Kind.REPLACE,
        MemberChange.Kind.ADD_LEARNER
    };

    private static final ChangeProgress.Stage[] STAGES = {
        ChangeProgress.Stage.NO_WRITER,
        ChangeProgress.Stage.UNDER_WAY,
        ChangeProgress.Stage.DONE,
        ChangeProgress.Stage.REFUSED
    };

    private ChangeFields() {}

    public static void write(WireWriter out, MemberChange change) {
        out.text(change.ticket()).number8(code(KINDS, change.kind()));
        out.flag(change.joiningAddress().isPresent());
        if (change.joiningAddress().isPresent()) {
            NodeAddress joining = change.joiningAddress().get();
            out.text(joining.host()).number32(joining.port());
        }
        out.flag(change.leavingNode().isPresent());
        if (change.leavingNode().isPresent()) {
            out.node(change.leavingNode().get());
        }
    }

    public static MemberChange readChange(WireReader in) throws BadFrameException {
        String ticket = in.text();
        MemberChange.Kind kind = value(KINDS, in.number8());
        Optional<NodeAddress> joining = in.flag() ? Optional.of(address(in)) : Optional.<NodeAddress>empty();
        Optional<NodeId> leaving = in.flag() ? Optional.of(in.node()) : Optional.<NodeId>empty();
        return MemberChange.of(ticket, kind, joining, leaving);
    }

    public static void writeChanges(WireWriter out, List<MemberChange> changes) {
        out.number32(changes.size());
        for (MemberChange change : changes) {
            write(out, change);
        }
    }

    public static List<MemberChange> readChanges(WireReader in) throws BadFrameException {
        int count = in.count(MIN_CHANGE_LENGTH);
        List<MemberChange> changes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            changes.add(readChange(in));
        }
        return changes;
    }

    public static void write(WireWriter out, ChangeProgress progress) {
        out.text(progress.ticket()).number8(code(STAGES, progress.stage())).explanation(progress.text());
    }

    public static ChangeProgress readProgress(WireReader in) throws BadFrameException {
        String ticket = in.text();
        ChangeProgress.Stage stage = value(STAGES, in.number8());
        return ChangeProgress.of(ticket, stage, in.text());
    }

    public static void writeProgress(WireWriter out, List<ChangeProgress> progress) {
        out.number32(progress.size());
        for (ChangeProgress change : progress) {
            write(out, change);
        }
    }

    public static List<ChangeProgress> readProgressList(WireReader in) throws BadFrameException {
        int count = in.count(MIN_PROGRESS_LENGTH);
        List<ChangeProgress> progress = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            progress.add(readProgress(in));
        }
        return progress;
    }

    private static NodeAddress address(WireReader in) throws BadFrameException {
        String host = in.text();
        return NodeAddress.of(host, in.number32());
    }

    private static <T> int code(T[] values, T value) {
        for (int i = 0; i < values.length; i++) {
            if (values[i].equals(value)) {
                return i + 1;
            }
        }
        throw new IllegalArgumentException("Not for the wire: " + value);
    }

    private static <T> T value(T[] values, int code) throws BadFrameException {
        if (code < 1 || code > values.length) {
            throw new BadFrameException(RefusalCause.MALFORMED, "Malformed message: unknown code " + code);
        }
        return values[code - 1];
    }
}
