/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.replica;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.protocol.PoolReply;
import java.util.List;

/** What a node must do, in the order given; {@link Handler} closes the family. Immutable values. */
public abstract class ReplicaEffect {

    private ReplicaEffect() {}

    abstract <X extends Exception> void dispatch(Handler<X> handler) throws X;

    /** Calls the handler's method for this effect, and throws what that throws. */
    public final <X extends Exception> void performedBy(Handler<X> handler) throws X {
        dispatch(handler);
    }

    /** One method per effect. */
    public interface Handler<X extends Exception> {
        /** Makes durable the promise and whether the log is complete, after everything written before. */
        void savePromise(Promise promise, LogCompleteness completeness) throws X;

        /** Truncates the log after {@code lastSn}, durably. */
        void truncate(long lastSn) throws X;

        /** Writes entries at the end; durable with the next sync. */
        void write(List<Entry> entries, long committedSn) throws X;

        /** Starts the log over after {@code base}, durably. */
        void rebase(LogSummary base) throws X;

        /** Moves the whole storage aside; this node is then empty, and gets a new id. */
        void moveAside() throws X;

        /** Entries up to {@code sn} may be shown to readers. */
        void committed(long sn) throws X;

        /** Sends the reply, once everything before it is durable. */
        void answer(PoolReply reply) throws X;

        /** Halts this node: going on would break a rule that others rely on. */
        void halt(String reason) throws X;
    }

    static ReplicaEffect savePromise(Promise promise, LogCompleteness completeness) {
        return new AutoValue_ReplicaEffect_SavePromise(promise, completeness);
    }

    static ReplicaEffect truncate(long lastSn) {
        return new AutoValue_ReplicaEffect_Truncate(lastSn);
    }

    static ReplicaEffect write(List<Entry> entries, long committedSn) {
        return new AutoValue_ReplicaEffect_Write(entries, committedSn);
    }

    static ReplicaEffect rebase(LogSummary base) {
        return new AutoValue_ReplicaEffect_Rebase(base);
    }

    static ReplicaEffect moveAside() {
        return new AutoValue_ReplicaEffect_MoveAside();
    }

    static ReplicaEffect committed(long sn) {
        return new AutoValue_ReplicaEffect_ShowCommitted(sn);
    }

    static ReplicaEffect answer(PoolReply reply) {
        return new AutoValue_ReplicaEffect_AnswerRequest(reply);
    }

    static ReplicaEffect halt(String reason) {
        return new AutoValue_ReplicaEffect_Halt(reason);
    }

    @AutoValue
    abstract static class SavePromise extends ReplicaEffect {
        abstract Promise promise();

        abstract LogCompleteness completeness();

        @Override
        final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.savePromise(promise(), completeness());
        }
    }

    @AutoValue
    abstract static class Truncate extends ReplicaEffect {
        abstract long lastSn();

        @Override
        final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.truncate(lastSn());
        }
    }

    @AutoValue
    abstract static class Write extends ReplicaEffect {
        abstract List<Entry> entries();

        abstract long committedSn();

        @Override
        final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.write(entries(), committedSn());
        }
    }

    @AutoValue
    abstract static class Rebase extends ReplicaEffect {
        abstract LogSummary base();

        @Override
        final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.rebase(base());
        }
    }

    @AutoValue
    abstract static class MoveAside extends ReplicaEffect {
        @Override
        final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.moveAside();
        }
    }

    @AutoValue
    abstract static class ShowCommitted extends ReplicaEffect {
        abstract long sn();

        @Override
        final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.committed(sn());
        }
    }

    @AutoValue
    abstract static class AnswerRequest extends ReplicaEffect {
        abstract PoolReply reply();

        @Override
        final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.answer(reply());
        }
    }

    @AutoValue
    abstract static class Halt extends ReplicaEffect {
        abstract String reason();

        @Override
        final <X extends Exception> void dispatch(Handler<X> handler) throws X {
            handler.halt(reason());
        }
    }
}
