/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.undelete;

import static io.trefoil.checkpoint.hdfs.undelete.PastAttributes.path;

import io.trefoil.checkpoint.archive.HistoricalFile;
import io.trefoil.checkpoint.undelete.UndeleteAction;
import io.trefoil.checkpoint.undelete.UndeleteOptions;
import io.trefoil.checkpoint.undelete.UndeletePlanner;
import io.trefoil.checkpoint.undelete.UndeleteStep;
import io.trefoil.foundation.Progress;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Brings a subtree back as it was, through the client protocol of two NameNodes: one that serves the namespace of then, and the active one.
 * Whatever is interrupted is done again: what is there already is left alone. Needs a superuser of both. Used by one thread.
 *
 * <p>Uses {@code DistributedFileSystem} with {@code getEZForPath}, {@code HdfsFileStatus.getFileId}, {@code getErasureCodingPolicy}.
 */
public final class HdfsUndelete implements Undelete {

    /** Marks a directory whose attributes are not there yet. */
    private static final String UNFINISHED = "trusted.trefoil.undelete";

    private static final String DRAFT = ".trefoil-undelete-";
    private static final FsPermission PRIVATE = new FsPermission((short) 0700);
    private static final int BUFFER_BYTES = 1 << 20;

    private final DistributedFileSystem past;
    private final DistributedFileSystem present;
    private final PastAttributes attributes;
    /** A random part of the names of drafts: entries that this attempt has made and not renamed yet. */
    private final String run = String.format("%016x", new SecureRandom().nextLong());

    HdfsUndelete(DistributedFileSystem past, DistributedFileSystem present) {
        this.past = past;
        this.present = present;
        this.attributes = new PastAttributes(past, present);
    }

    /**
     * Connects to both; must be closed.
     *
     * @param past the file system of then, which is only read
     */
    public static HdfsUndelete open(Configuration conf, URI past, URI present) throws IOException {
        DistributedFileSystem then = (DistributedFileSystem) FileSystem.newInstance(past, conf);
        try {
            return new HdfsUndelete(then, (DistributedFileSystem) FileSystem.newInstance(present, conf));
        } catch (IOException | RuntimeException e) {
            then.close();
            throw e;
        }
    }

    @Override
    public List<UndeleteStep> plan(String path, UndeleteOptions options) throws IOException {
        Path top = new Path(path);
        FileStatus pastStatus;
        try {
            pastStatus = past.getFileStatus(top);
        } catch (FileNotFoundException e) {
            throw new FileNotFoundException(path + " was not there");
        }
        SurvivingCopies copies = new SurvivingCopies(past, present, top.toString());
        List<UndeleteStep> steps = new ArrayList<>();
        Map<String, UndeleteAction> foundDirectories = new HashMap<>();
        for (Path parent : parents(top)) {
            add(steps, past.getFileStatus(parent), true, foundDirectories, copies, options);
        }
        Deque<FileStatus> left = new ArrayDeque<>();
        left.push(pastStatus);
        while (!left.isEmpty()) {
            FileStatus one = left.pop();
            add(steps, one, false, foundDirectories, copies, options);
            if (one.isDirectory()) {
                FileStatus[] children = past.listStatus(path(one));
                Collections.reverse(Arrays.asList(children));
                Arrays.asList(children).forEach(left::push);
            }
        }
        return steps;
    }

    private static List<Path> parents(Path path) {
        List<Path> parents = new ArrayList<>();
        for (Path parent = path.getParent(); parent != null; parent = parent.getParent()) {
            parents.add(0, parent);
        }
        return parents;
    }

    private void add(
            List<UndeleteStep> steps,
            FileStatus pastStatus,
            boolean isAncestor,
            Map<String, UndeleteAction> foundDirectories,
            SurvivingCopies copies,
            UndeleteOptions options)
            throws IOException {
        if (path(pastStatus).isRoot()) {
            return;
        }
        Optional<UndeleteAction> ofParent = Optional.ofNullable(
                foundDirectories.get(path(pastStatus).getParent().toString()));
        UndeleteStep step = ofParent.isPresent()
                ? UndeletePlanner.planBelow(toFile(pastStatus), ofParent.get())
                : plan(pastStatus, isAncestor, copies, options);
        steps.add(step);
        if (pastStatus.isDirectory() && step.action().isFinding()) {
            foundDirectories.put(step.past().path(), step.action());
        }
    }

    private UndeleteStep plan(
            FileStatus pastStatus, boolean isAncestor, SurvivingCopies copies, UndeleteOptions options)
            throws IOException {
        HistoricalFile file = toFile(pastStatus);
        if (pastStatus.isSymlink()) {
            return UndeletePlanner.planLoss(file, "it is a symbolic link");
        }
        Optional<FileStatus> now = find(path(pastStatus));
        if (now.isPresent()) {
            if (pastStatus.isDirectory() && now.get().isDirectory() && isUnfinished(path(pastStatus))) {
                return UndeletePlanner.planCreation(file, true);
            }
            return isAncestor
                    ? UndeletePlanner.planAncestor(file, toFile(now.get()))
                    : UndeletePlanner.planPresent(
                            file, toFile(now.get()), attributes.hasSameAcl(pastStatus, now.get()));
        }
        if (!pastStatus.isDirectory()) {
            UndeleteStep step = UndeletePlanner.planFile(file, pastStatus.isEncrypted(), copies.find(file), options);
            return step.action() == UndeleteAction.LOSE ? step.withUnreadSnapshots(copies.unreadSnapshots()) : step;
        }
        if (pastStatus.isEncrypted()
                && past.getEZForPath(path(pastStatus)).getPath().equals(file.path())) {
            return UndeletePlanner.planLoss(file, "it was an encryption zone: make it with hdfs crypto first");
        }
        return UndeletePlanner.planCreation(file, false);
    }

    private Optional<FileStatus> find(Path path) throws IOException {
        return SurvivingCopies.findStatus(present, path);
    }

    private boolean isUnfinished(Path directory) throws IOException {
        return present.listXAttrs(directory).contains(UNFINISHED);
    }

    private static HistoricalFile toFile(FileStatus status) {
        HistoricalFile.Kind kind = status.isDirectory()
                ? HistoricalFile.Kind.DIRECTORY
                : status.isFile() ? HistoricalFile.Kind.FILE : HistoricalFile.Kind.SYMLINK;
        return HistoricalFile.builder()
                .path(path(status).toString())
                .kind(kind)
                .permission(status.getPermission().toString())
                .owner(status.getOwner())
                .group(status.getGroup())
                .bytes(status.getLen())
                .modifiedMillis(status.getModificationTime())
                .inode(((HdfsFileStatus) status).getFileId())
                .build();
    }

    @Override
    public List<UndeleteStep> execute(List<UndeleteStep> steps, Progress.Task task) {
        task.reportTotal(steps.size());
        List<UndeleteStep> outcomes = new ArrayList<>();
        Set<String> failedDirectories = new HashSet<>();
        for (UndeleteStep step : steps) {
            UndeleteStep outcome =
                    failedDirectories.contains(parent(step)) && step.action().isChange()
                            ? step.asFailed("its directory was not made")
                            : attempt(step, () -> perform(step));
            outcomes.add(outcome);
            if (step.action() == UndeleteAction.CREATE && outcome.action() == UndeleteAction.FAIL) {
                failedDirectories.add(step.past().path());
            }
            task.reportDone(outcomes.size());
        }
        // What is made in a directory changes its time, and a quota may be full.
        for (int i = outcomes.size() - 1; i >= 0; i--) {
            UndeleteStep step = outcomes.get(i);
            if (step.action() == UndeleteAction.CREATE) {
                outcomes.set(i, attempt(step, () -> finish(new Path(step.past().path()))));
            }
        }
        return outcomes;
    }

    private static String parent(UndeleteStep step) {
        return new Path(step.past().path()).getParent().toString();
    }

    /** A change of the file system. */
    private interface Change {
        void make() throws IOException;
    }

    private static UndeleteStep attempt(UndeleteStep step, Change change) {
        try {
            change.make();
            return step;
        } catch (IOException e) {
            // What a NameNode says has its stack behind it.
            String text = e.getMessage() == null ? e.toString() : e.getMessage();
            return step.asFailed(text.split("\n", 2)[0]);
        }
    }

    private void perform(UndeleteStep step) throws IOException {
        Path path = new Path(step.past().path());
        switch (step.action()) {
            case CREATE:
                create(step.past(), path);
                return;
            case RENAME:
                // The user who deleted it may have changed them before.
                attributes.copy(past.getFileStatus(path), new Path(step.source().get()));
                present.rename(new Path(step.source().get()), path, Options.Rename.NONE);
                return;
            case COPY:
                makeThroughDraft(step.past(), path, draft -> {
                    copy(new Path(step.source().get()), draft, past.getFileStatus(path));
                });
                return;
            case SKIP:
            case KEEP:
            case DIFFER:
            case LOSE:
            case FAIL:
                return;
            default:
                throw new AssertionError(step.action());
        }
    }

    /** Makes something at a path. */
    private interface Making {
        void make(Path path) throws IOException;
    }

    /** Makes an entry under a name that no other process uses, and renames it, if nothing has come there meanwhile. */
    private void makeThroughDraft(HistoricalFile past, Path path, Making creation) throws IOException {
        Path draft = new Path(path.getParent(), DRAFT + run + "-" + past.inode());
        try {
            creation.make(draft);
            present.rename(draft, path, Options.Rename.NONE);
        } catch (IOException | RuntimeException e) {
            try {
                present.delete(draft, false);
            } catch (IOException also) {
                e.addSuppressed(also);
            }
            throw e;
        }
    }

    /** Creates a directory, which is never there without its mark, however this ends. */
    private void create(HistoricalFile past, Path path) throws IOException {
        if (find(path).isPresent()) {
            if (!isUnfinished(path)) {
                throw new IOException("something has come there meanwhile");
            }
            return;
        }
        makeThroughDraft(past, path, draft -> {
            present.mkdir(draft, PRIVATE);
            present.setXAttr(draft, UNFINISHED, new byte[0]);
        });
    }

    private void finish(Path directory) throws IOException {
        if (!isUnfinished(directory)) {
            throw new IOException("it was finished or created again meanwhile");
        }
        attributes.copy(past.getFileStatus(directory), directory);
        present.removeXAttr(directory, UNFINISHED);
    }

    private void copy(Path source, Path draft, FileStatus pastStatus) throws IOException {
        long bytes = 0;
        try (InputStream in = present.open(source);
                OutputStream out = create(draft, pastStatus)) {
            byte[] some = new byte[BUFFER_BYTES];
            for (int count = in.read(some); count >= 0; count = in.read(some)) {
                out.write(some, 0, count);
                bytes += count;
            }
        }
        if (bytes != pastStatus.getLen()) {
            throw new IOException(source + " has " + bytes + " bytes by now, wanted the " + pastStatus.getLen()
                    + " of then: look again");
        }
        attributes.copy(pastStatus, draft);
    }

    private OutputStream create(Path draft, FileStatus pastStatus) throws IOException {
        DistributedFileSystem.HdfsDataOutputStreamBuilder builder =
                present.createFile(draft).overwrite(false).permission(PRIVATE).blockSize(pastStatus.getBlockSize());
        if (pastStatus.isErasureCoded()) {
            builder.ecPolicyName(
                    ((HdfsFileStatus) pastStatus).getErasureCodingPolicy().getName());
        } else {
            builder.replicate().replication(pastStatus.getReplication());
        }
        return builder.build();
    }

    @Override
    public void close() throws IOException {
        try {
            past.close();
        } finally {
            present.close();
        }
    }
}
