/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.replica;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.Standing;
import io.trefoil.journal.protocol.PoolReply;
import java.util.List;

/** What a node has to do, in the order given; the family is closed by {@link Handler}. Immutable values. */
public abstract class ReplicaEffect {

    private ReplicaEffect() {}

    abstract <R> R dispatch(Handler<R> handler);

    /** Carries this effect out. */
    public final <R> R performedBy(Handler<R> handler) {
        return dispatch(handler);
    }

    /** One method per effect. */
    public interface Handler<R> {
        /** Makes promise and standing durable, after everything written before. */
        R savePromise(Promise promise, Standing standing);

        /** Cuts every entry above {@code lastSn}, durably. */
        R truncate(long lastSn);

        /** Writes entries at the end; durable with the next sync. */
        R write(List<Entry> entries, long committedSn);

        /** Starts the log over behind {@code base}, durably. */
        R rebase(LogSummary base);

        /** Moves the whole storage aside; this node is empty then, and somebody else. */
        R moveAside();

        /** Entries up to {@code sn} may be shown to readers. */
        R committed(long sn);

        /** Answers, once all before it is durable. */
        R answer(PoolReply reply);

        /** Ends this node: what it would have to do breaks a rule that others rely on. */
        R halt(String reason);
    }

    static ReplicaEffect savePromise(Promise promise, Standing standing) {
        return new ReplicaEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.savePromise(promise, standing);
            }
        };
    }

    static ReplicaEffect truncate(long lastSn) {
        return new ReplicaEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.truncate(lastSn);
            }
        };
    }

    static ReplicaEffect write(List<Entry> entries, long committedSn) {
        return new ReplicaEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.write(entries, committedSn);
            }
        };
    }

    static ReplicaEffect rebase(LogSummary base) {
        return new ReplicaEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.rebase(base);
            }
        };
    }

    static ReplicaEffect moveAside() {
        return new ReplicaEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.moveAside();
            }
        };
    }

    static ReplicaEffect committed(long sn) {
        return new ReplicaEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.committed(sn);
            }
        };
    }

    static ReplicaEffect answer(PoolReply reply) {
        return new ReplicaEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.answer(reply);
            }
        };
    }

    static ReplicaEffect halt(String reason) {
        return new ReplicaEffect() {
            @Override
            <R> R dispatch(Handler<R> handler) {
                return handler.halt(reason);
            }
        };
    }

    @Override
    public final String toString() {
        return dispatch(new Described());
    }

    private static final class Described implements Handler<String> {
        @Override
        public String savePromise(Promise promise, Standing standing) {
            return "savePromise(" + promise + ", " + standing + ")";
        }

        @Override
        public String truncate(long lastSn) {
            return "truncate(" + lastSn + ")";
        }

        @Override
        public String write(List<Entry> entries, long committedSn) {
            return "write(" + entries + ")";
        }

        @Override
        public String rebase(LogSummary base) {
            return "rebase(" + base.position() + ")";
        }

        @Override
        public String moveAside() {
            return "moveAside";
        }

        @Override
        public String committed(long sn) {
            return "committed(" + sn + ")";
        }

        @Override
        public String answer(PoolReply reply) {
            return "answer(" + reply + ")";
        }

        @Override
        public String halt(String reason) {
            return "halt(" + reason + ")";
        }
    }
}
