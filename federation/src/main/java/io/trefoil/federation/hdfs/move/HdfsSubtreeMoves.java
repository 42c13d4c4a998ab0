/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import io.trefoil.federation.hdfs.tree.ParallelCaller;
import io.trefoil.federation.move.LockWaitMeter;
import io.trefoil.federation.move.MoveLimits;
import io.trefoil.federation.move.MovePorts;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.MoveStore;
import io.trefoil.federation.move.SubtreeMover;
import io.trefoil.federation.move.SubtreeMover.Pace;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.federation.move.SubtreeSize;
import io.trefoil.federation.move.progress.MoveCounts;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.TableStore;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.security.UserGroupInformation;

/** Moves of subtrees, and their sizes, between configured nameservices. Not thread-safe. */
public final class HdfsSubtreeMoves implements SubtreeMoves {

    private final Configuration conf;
    private final TableStore table;
    private final String seal;
    private final MoveTuning tuning;
    private final Deque<Closeable> opened = new ArrayDeque<>();

    /** @param seal the name of the snapshot that seals a directory */
    public HdfsSubtreeMoves(Configuration conf, TableStore table, String seal) {
        this(conf, table, seal, MoveTuning.builder().build());
    }

    /** Creates moves with another tuning, for tests. */
    public HdfsSubtreeMoves(Configuration conf, TableStore table, String seal, MoveTuning tuning) {
        this.conf = conf;
        this.table = table;
        this.seal = seal;
        this.tuning = tuning;
    }

    /** Measures subtrees by asking the NameNodes, like {@code hdfs dfs -count}. */
    public static SubtreeSize.Source newSizeSource(Configuration conf) {
        return new Sizes(conf);
    }

    private static final class Sizes implements SubtreeSize.Source {
        private final Configuration conf;
        private final Map<String, DistributedFileSystem> connected = new HashMap<>();

        Sizes(Configuration conf) {
            this.conf = conf;
        }

        @Override
        public Optional<SubtreeSize> of(String nameservice, SubtreePath path) throws IOException {
            DistributedFileSystem fileSystem = connected.get(nameservice);
            if (fileSystem == null) {
                fileSystem = MoveConnections.connect(conf, nameservice);
                connected.put(nameservice, fileSystem);
            }
            try {
                SubtreeSize size = HdfsDirectory.size(fileSystem, new Path(path.text()));
                return size.directories() == 0 ? Optional.empty() : Optional.of(size);
            } catch (FileNotFoundException e) {
                return Optional.empty();
            }
        }

        @Override
        public void close() throws IOException {
            for (DistributedFileSystem fileSystem : connected.values()) {
                fileSystem.close();
            }
            connected.clear();
        }
    }

    @Override
    public MoveStore store() throws IOException {
        table.requireSuperuser(Collections.singleton(table.tableNameservice()));
        DistributedFileSystem keeper = MoveConnections.connect(conf, table.tableNameservice());
        opened.push(keeper);
        return new HdfsMoveStore(keeper, table.tableDirectory().text());
    }

    @Override
    public SubtreeMover connect(MoveRecord record, MoveLimits limits, int atATime, Consumer<String> progress)
            throws IOException {
        table.requireOwners(Arrays.asList(record.source(), record.target()));
        Pace pace = record.rate().isPresent()
                ? new Pace(tuning.limiters().apply(record.rate().getAsInt()))
                : Pace.unlimited();
        MoveCounts counts = new MoveCounts(record.id(), Clock.systemUTC());
        MoveStore store = store();
        MoveLock lock = new MoveLock(store, tuning.lockValidity(), System::nanoTime, Clock.systemUTC()::instant);
        MoveContext work = MoveContext.of(new ParallelCaller(atATime, pace), counts, lock);
        MoveConnections connections = new MoveConnections(conf, record, work, tuning);
        opened.push(connections);
        // The owner of what is closed, by this host's auth_to_local; a NameNode may have another name for this process.
        // The table has the principal.
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        HdfsMoveSource source = new HdfsMoveSource(record.path().text(), connections, user, seal, progress);
        HdfsMoveTarget target = new HdfsMoveTarget(table, record, connections, user, seal, progress);
        return new SubtreeMover(
                record,
                MovePorts.builder()
                        .table(table)
                        .store(store)
                        .source(source)
                        .target(target)
                        .limits(limits)
                        .pace(pace)
                        .counts(counts)
                        .waits(waits(record, connections, progress))
                        .progress(progress)
                        .build());
    }

    /** Measures the waits of clients with calls that change nothing and do not require the lock of moves. */
    private static LockWaitMeter waits(MoveRecord record, MoveConnections connections, Consumer<String> progress) {
        Map<String, ClientProtocol> nameNodes = new HashMap<>();
        nameNodes.put(record.source(), connections.sourceNameNode(() -> {}));
        nameNodes.put(record.target(), connections.targetNameNode(() -> {}));
        return new LockWaitProbes(nameNodes, connections.counts(), progress);
    }

    @Override
    public void close() throws IOException {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }
}
