/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.archive;

import io.trefoil.checkpoint.archive.group.ArchivingMember;
import io.trefoil.checkpoint.archive.run.ArchiveRun;
import io.trefoil.checkpoint.archive.run.ArchiveService;
import io.trefoil.checkpoint.archive.run.ArchivingGroup;
import io.trefoil.checkpoint.archive.store.ArchiveIdentity;
import io.trefoil.checkpoint.archive.store.ArchivePruner;
import io.trefoil.checkpoint.archive.store.ArchiveWriter;
import io.trefoil.checkpoint.archive.store.ImageCopier;
import io.trefoil.checkpoint.archive.store.ImageRecords;
import io.trefoil.checkpoint.hdfs.config.ArchiveKeys;
import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.journal.hdfs.NameNodeJournal;
import io.trefoil.journal.hdfs.NameNodePool;
import io.trefoil.journal.hdfs.config.NameNodeSettings;
import io.trefoil.journal.image.RateLimiter;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.PoolJournal;
import io.trefoil.journal.pool.client.PoolAdminClient;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * The archive of a NameNode's journal, as {@code trefoil.archive.dir} of its configuration wants it. Thread-safe.
 *
 * <p>Uses {@code Configuration}, {@code Path}.
 */
public final class NameNodeArchive implements Closeable {

    /** How long a question to a pool node may take. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final String nameservice;
    private final String directory;
    private final Optional<Duration> retention;
    private final Configuration conf;
    private final NameNodeJournal own;
    private final NameNodePool pool;
    private final NodeAddress node;
    private final PoolJournal reader;
    private final PoolAdminClient inquiry;
    private final JournalId journal;
    private final ArchiveService service;
    private Optional<FileSystemStore> store = Optional.empty();

    /**
     * @param conf of this NameNode
     * @param directory where the archives of all journals are
     * @throws IOException if TLS is on and the keys cannot be used
     * @throws IllegalArgumentException if this process has no pool node
     */
    public NameNodeArchive(
            Configuration conf,
            String nameservice,
            String name,
            String directory,
            NameNodeJournal own,
            ArchivingGroup group)
            throws IOException {
        this.conf = conf;
        this.nameservice = nameservice;
        this.directory = directory;
        retention = ArchiveKeys.RETENTION.find(SuffixedConfiguration.ofNameNode(conf));
        this.own = own;
        pool = own.pool()
                .orElseThrow(() -> new IllegalArgumentException("a journal that no pool keeps is not archived"));
        node = pool.ownNode()
                .orElseThrow(() -> new IllegalArgumentException(
                        "this NameNode has no pool node in its process, which holds the images that are archived"));
        reader = pool.openReader();
        journal = reader.id();
        inquiry = pool.openAdminClient(TIMEOUT);
        ArchiveMetrics metrics = new ArchiveMetrics();
        service = new ArchiveService(name, group, this::begin, metrics);
        metrics.register(service::ownStatus);
    }

    /** Starts threads and returns. */
    public void start() {
        service.start();
    }

    /** Returns this NameNode's report of its part in archiving; does not block. */
    public ArchivingMember member() {
        return service.ownStatus();
    }

    /** Begins a run. The file system is opened once: where it is away, that may take long, and only here. */
    private ArchiveRun begin() throws IOException {
        FileSystemStore open = store();
        ArchiveIdentity.claim(open, journal, own.namespace());
        String run = String.format("%016x", new SecureRandom().nextLong());
        ArchiveWriter writer = new ArchiveWriter(
                open,
                new JournalLog(reader),
                () -> ArchiveIdentity.claim(open, journal, own.namespace()),
                run,
                System::currentTimeMillis);
        LocalImages images = new LocalImages(
                inquiry, pool.addresses(), node, own.namespace(), NameNodeSettings.nameDirectories(conf));
        return new ArchiveRun(
                writer, new ImageCopier(images, open, writer, pace(), System::currentTimeMillis), () -> prune(open));
    }

    private int prune(FileSystemStore open) throws IOException {
        if (!retention.isPresent()) {
            return 0;
        }
        ArchivePruner pruner = new ArchivePruner(open);
        ArchivePruner.Plan plan = pruner.plan(retention.get(), System.currentTimeMillis());
        pruner.carryOut(plan);
        return plan.objectsToDelete().size();
    }

    private synchronized FileSystemStore store() throws IOException {
        if (!store.isPresent()) {
            refuseOwnCluster();
            store = Optional.of(FileSystemStore.of(conf, directory + "/" + journal));
        }
        return store.get();
    }

    /** Refuses an archive that is kept on the cluster itself: it goes with the cluster. */
    private void refuseOwnCluster() throws IOException {
        String authority;
        try {
            authority = new Path(directory).toUri().getAuthority();
        } catch (IllegalArgumentException e) {
            throw new IOException(directory + ": " + e.getMessage(), e);
        }
        Collection<String> nameservices = conf.getTrimmedStringCollection(DFSConfigKeys.DFS_INTERNAL_NAMESERVICES_KEY);
        Collection<String> names = nameservices.isEmpty() ? Collections.singleton(nameservice) : nameservices;
        if (new Path(directory).toUri().getScheme() == null || names.contains(authority)) {
            throw new IOException(
                    directory + " is on the cluster that it is the archive of; give a URI of another file system");
        }
    }

    /** Copies images no faster than HDFS copies them between NameNodes. */
    private ImageRecords.Pace pace() {
        long bytesPerSecond = conf.getLongBytes(
                DFSConfigKeys.DFS_IMAGE_TRANSFER_RATE_KEY, DFSConfigKeys.DFS_IMAGE_TRANSFER_RATE_DEFAULT);
        if (bytesPerSecond <= 0) {
            return ImageRecords.Pace.FREE;
        }
        RateLimiter limiter = new RateLimiter(bytesPerSecond);
        return bytes -> {
            try {
                TimeUnit.NANOSECONDS.sleep(limiter.reserve(bytes, System.nanoTime()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("Interrupted");
            }
        };
    }

    /** Ends the threads; waits for none of them. */
    @Override
    public void close() {
        service.close();
        inquiry.close();
        reader.close();
    }
}
