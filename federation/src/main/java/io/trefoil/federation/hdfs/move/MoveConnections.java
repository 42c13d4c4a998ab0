/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import io.trefoil.federation.hdfs.datanode.LinkClient;
import io.trefoil.federation.hdfs.tree.HdfsTree;
import io.trefoil.federation.hdfs.tree.ParallelCaller;
import io.trefoil.federation.hdfs.tree.SmallFileSettings;
import io.trefoil.federation.move.MoveBlocker;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.progress.MoveCounts;
import io.trefoil.federation.table.TableStore.Permit;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.RollingUpgradeInfo;

/**
 * The connections to both nameservices and to the DataNodes. What the file systems are for is reading; what changes something goes by a
 * NameNode that asks for a permit. Thread-safe.
 *
 * <p>Uses {@code DFSClient.getNamenode}.
 */
final class MoveConnections implements Closeable {

    /** The time that a DataNode may take for one block: in which it syncs a directory and reads the checksums. */
    private static final Duration LINKING = Duration.ofMinutes(1);

    private final DistributedFileSystem source;
    private final DistributedFileSystem target;
    private final LinkClient dataNodes;
    private final HdfsFreeze freeze;
    private final MoveContext context;
    private final MoveTuning tuning;

    MoveConnections(Configuration conf, MoveRecord record, MoveContext context, MoveTuning tuning) throws IOException {
        source = connect(conf, record.source());
        target = connect(conf, record.target());
        dataNodes = new LinkClient(conf, LINKING);
        this.context = context;
        this.tuning = tuning;
        freeze = new HdfsFreeze(
                source,
                sourceNameNode(context.lock()::requireHeldNow),
                record.id(),
                record.path().text());
    }

    /** Connects with HDFS's own client, not the one configured for {@code hdfs://}, which may route by the table. */
    static DistributedFileSystem connect(Configuration conf, String nameservice) throws IOException {
        DistributedFileSystem fileSystem = new DistributedFileSystem();
        fileSystem.initialize(URI.create("hdfs://" + nameservice), SmallFileSettings.withFastClose(conf));
        // An observer may be behind what an earlier process did.
        fileSystem.msync();
        return fileSystem;
    }

    /** An upgrade that is not finalized, so that it may be rolled back, including anything moved meanwhile. */
    static Optional<MoveBlocker> upgradeBlocker(DistributedFileSystem end) throws IOException {
        RollingUpgradeInfo rolling = end.rollingUpgrade(RollingUpgradeAction.QUERY);
        return (rolling == null || rolling.isFinalized()) && end.upgradeStatus()
                ? Optional.empty()
                : Optional.of(MoveBlocker.of(end.getUri() + " has an upgrade that is not finalized"));
    }

    DistributedFileSystem source() {
        return source;
    }

    DistributedFileSystem target() {
        return target;
    }

    /** The source's NameNode, with a check for a permit before each call that changes something. */
    ClientProtocol sourceNameNode(Permit permit) {
        return MoveLock.guarded(source.getClient().getNamenode(), permit);
    }

    /** The target's NameNode, with a check for a permit before each call that changes something. */
    ClientProtocol targetNameNode(Permit permit) {
        return MoveLock.guarded(target.getClient().getNamenode(), permit);
    }

    LinkClient dataNodes() {
        return dataNodes;
    }

    ParallelCaller parallel() {
        return context.parallel();
    }

    MoveLock lock() {
        return context.lock();
    }

    HdfsFreeze freeze() {
        return freeze;
    }

    HdfsTree sourceTree() {
        return HdfsTree.of(source, context.parallel(), context.counts());
    }

    HdfsTree movedTree() {
        return HdfsTree.ofMoved(source, context.parallel(), context.counts());
    }

    HdfsTree targetTree() {
        return HdfsTree.ofTarget(target, context.parallel(), context.counts());
    }

    MoveCounts counts() {
        return context.counts();
    }

    Duration editPollTimeout() {
        return tuning.editPollTimeout();
    }

    long sliceSize() {
        return tuning.sliceSize();
    }

    LinkedFile newLinkedFile(MoveRecord record) {
        return new LinkedFile(
                sourceNameNode(context.lock()::requireHeldNow),
                targetNameNode(context.lock()::requireHeld),
                new LinkBatcher(dataNodes::link),
                "trefoil-move-" + record.id());
    }

    @Override
    public void close() throws IOException {
        context.parallel().close();
        source.close();
        target.close();
    }
}
