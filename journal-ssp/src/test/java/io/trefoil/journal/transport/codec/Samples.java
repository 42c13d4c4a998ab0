/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.codec;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.AwaitCommitRequest;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Welcome;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Messages for tests that care about their way, not about what they say. */
public final class Samples {

    public static final JournalId JOURNAL = JournalId.of("ns1");
    public static final NamespaceId NAMESPACE = NamespaceId.of("CID-1", 77);
    public static final NodeId NODE = NodeId.of("n1");
    public static final Epoch EPOCH = Epoch.of(3);

    private Samples() {}

    public static Hello hello(Hello.CallerRole role) {
        return hello(role, JOURNAL);
    }

    public static Hello hello(Hello.CallerRole role, JournalId journal) {
        return Hello.of(journal, NAMESPACE, role, "test", Optional.empty());
    }

    public static Welcome welcome() {
        return Welcome.of(NODE, true, NAMESPACE, EPOCH);
    }

    public static Entry entry(long sn, int size) {
        return Entry.of(LogPosition.of(EPOCH, sn), EntryKind.EDITS, TxRange.of(sn, sn), Bytes.wrap(new byte[size]));
    }

    public static AppendRequest append(long sn) {
        return append(sn, 100);
    }

    public static AppendRequest append(long sn, int size) {
        return append(sn, List.of(entry(sn, size)));
    }

    /** A request with a number that belongs in a session of that kind. */
    public static PoolRequest request(Hello.CallerRole role, long sn) {
        return role == Hello.CallerRole.WRITER ? append(sn) : AwaitCommitRequest.of(sn, 0);
    }

    static AppendRequest heartbeat(long sn) {
        return append(sn, Collections.emptyList());
    }

    private static AppendRequest append(long sn, List<Entry> entries) {
        return AppendRequest.of(
                EPOCH,
                WriterId.of("w1"),
                1000,
                LogPosition.of(EPOCH, Math.max(0, sn - 1)),
                entries,
                LogPosition.ORIGIN,
                sn);
    }

    public static AppendedReply appended(long sn) {
        return AppendedReply.of(NODE, EPOCH, sn, LogCompleteness.COMPLETE);
    }

    public static NodeAddress addressOf(InetSocketAddress bound) {
        return NodeAddress.of("127.0.0.1", bound.getPort());
    }
}
