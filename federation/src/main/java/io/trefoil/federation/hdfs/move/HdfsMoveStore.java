/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import io.trefoil.federation.hdfs.tree.HdfsTree;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.MoveStore;
import io.trefoil.federation.move.progress.MoveProgress;
import io.trefoil.federation.table.TableRefusedException;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.RecoveryInProgressException;
import org.apache.hadoop.ipc.RemoteException;

/**
 * The record in a directory next to the versions of the table, in the same nameservice. A move begins by a rename that overwrites nothing,
 * as a version is made. The lock is HDFS's own: a file that is open for writing.
 *
 * <p>Uses {@code DFSClient.getNamenode}.
 */
final class HdfsMoveStore implements MoveStore {

    private static final String DRAFT = "draft-";

    private static final String PROGRESS = "trusted.trefoil.progress";

    private static final FsPermission PRIVATE = new FsPermission((short) 0700);

    private final DistributedFileSystem keeper;
    private final Path directory;
    private final Path current;
    private final Path lock;

    /** @param kept the directory of the table */
    HdfsMoveStore(DistributedFileSystem keeper, String kept) {
        this.keeper = keeper;
        this.directory = new Path(kept, "moves");
        this.current = new Path(directory, "current");
        this.lock = new Path(directory, "lock");
    }

    @Override
    public Closeable lock() throws IOException {
        Closeable taken = acquireLock();
        try {
            withdrawDrafts();
        } catch (IOException e) {
            try (Closeable ignored = taken) {
                throw e;
            }
        }
        return taken;
    }

    /** Deletes drafts whose rename an earlier holder of the lock may have sent, so that a late rename finds nothing. */
    private void withdrawDrafts() throws IOException {
        for (FileStatus status : keeper.listStatus(directory)) {
            if (status.getPath().getName().startsWith(DRAFT)) {
                keeper.delete(status.getPath(), false);
            }
        }
    }

    private Closeable acquireLock() throws IOException {
        keeper.mkdirs(directory, PRIVATE);
        try {
            try {
                return keeper.create(lock, false);
            } catch (FileAlreadyExistsException e) {
                return keeper.append(lock);
            }
        } catch (RemoteException e) {
            // HDFS's client unwraps them of an append alone, and the first move makes the file.
            throw toRefusal(
                    e.unwrapRemoteException(AlreadyBeingCreatedException.class, RecoveryInProgressException.class));
        } catch (AlreadyBeingCreatedException | RecoveryInProgressException e) {
            throw toRefusal(e);
        }
    }

    private static IOException toRefusal(IOException cause) {
        return cause instanceof RemoteException
                ? cause
                : new TableRefusedException("Another process moves a subtree, or has ended within the last minute: "
                        + cause.getMessage().split("\n", 2)[0]);
    }

    @Override
    public void requireLock() throws IOException {
        // From now on HDFS keeps the lease for a minute, even if it has not heard from this process for as long.
        keeper.getClient().renewLease();
        // HDFS refuses this call if another process has the lock.
        keeper.getClient()
                .getNamenode()
                .fsync(lock.toString(), 0, keeper.getClient().getClientName(), -1);
    }

    @Override
    public Optional<MoveRecord> current() throws IOException {
        if (!keeper.exists(current)) {
            return Optional.empty();
        }
        Properties lines = new Properties();
        try (InputStream in = keeper.open(current)) {
            lines.load(in);
        }
        Map<String, String> map = new TreeMap<>();
        lines.stringPropertyNames().forEach(key -> map.put(key, lines.getProperty(key)));
        try {
            return Optional.of(MoveRecord.decode(map));
        } catch (IllegalArgumentException e) {
            throw new IOException(current + ": " + e.getMessage(), e);
        }
    }

    @Override
    public boolean begin(MoveRecord record) throws IOException {
        Path draft = writeRecord(record);
        requireLock();
        try {
            keeper.rename(draft, current, Options.Rename.NONE);
            return true;
        } catch (FileAlreadyExistsException e) {
            keeper.delete(draft, false);
            return false;
        }
    }

    @Override
    public void update(MoveRecord record) throws IOException {
        Path draft = writeRecord(record);
        requireLock();
        keeper.rename(draft, current, Options.Rename.OVERWRITE);
    }

    @Override
    public void saveProgress(MoveProgress progress) throws IOException {
        requireLock();
        // An attribute is one edit, and no file that another process may find half written. The record itself is its
        // owner's alone.
        keeper.setXAttr(
                directory,
                PROGRESS,
                toText(progress.encode()).getBytes(StandardCharsets.UTF_8),
                EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
    }

    private static String toText(Map<String, String> lines) {
        StringBuilder text = new StringBuilder();
        lines.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
        return text.toString();
    }

    @Override
    public Optional<MoveProgress> readProgress(MoveRecord record) throws IOException {
        byte[] value = keeper.getXAttrs(directory).get(PROGRESS);
        if (value == null) {
            return Optional.empty();
        }
        Map<String, String> lines = new TreeMap<>();
        for (String line : new String(value, StandardCharsets.UTF_8).split("\n", -1)) {
            int end = line.indexOf('=');
            if (end > 0) {
                lines.put(line.substring(0, end), line.substring(end + 1));
            }
        }
        try {
            // It stays when a move has ended.
            return Optional.of(MoveProgress.decode(lines))
                    .filter(one -> one.move().equals(record.id()));
        } catch (IllegalArgumentException e) {
            throw new IOException(PROGRESS + " of " + directory + ": " + e.getMessage(), e);
        }
    }

    @Override
    public boolean hasEnded(MoveRecord record) throws IOException {
        return keeper.exists(endedPath(record));
    }

    private Path endedPath(MoveRecord record) {
        return new Path(directory, "ended-" + record.id());
    }

    @Override
    public void end(MoveRecord record) throws IOException {
        ClientProtocol nameNode = keeper.getClient().getNamenode();
        HdfsFileStatus file = nameNode.getFileInfo(current.toString());
        requireLock();
        if (file == null) {
            throw new FileNotFoundException("There is no " + current);
        }
        // By its id: if this arrives late, it must not file away the record of the next move.
        nameNode.rename2(HdfsTree.inodePath(file.getFileId()), endedPath(record).toString(), Options.Rename.OVERWRITE);
    }

    private Path writeRecord(MoveRecord record) throws IOException {
        Path draft = new Path(directory, DRAFT + UUID.randomUUID());
        Properties lines = new Properties();
        lines.putAll(record.encode());
        try (OutputStream out = keeper.create(
                draft,
                PRIVATE,
                EnumSet.of(CreateFlag.CREATE, CreateFlag.SYNC_BLOCK),
                4096,
                keeper.getDefaultReplication(draft),
                keeper.getDefaultBlockSize(draft),
                null)) {
            lines.store(out, null);
        }
        return draft;
    }
}
