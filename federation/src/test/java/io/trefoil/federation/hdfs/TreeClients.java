/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/** Makes calls of all kinds, by chance, on few names. */
final class TreeClients {
    private static final String[] NAMES = {"a", "b", "c", "b-"};

    final String root;
    final Random random;
    final boolean usesPolicies;
    /** What edits do not tell of. */
    final Set<String> silent = new TreeSet<>();

    final List<String> done = new ArrayList<>();
    private final DistributedFileSystem fileSystem;
    private final List<FSDataOutputStream> open = new ArrayList<>();

    TreeClients(DistributedFileSystem fileSystem, String root, int seed) throws IOException {
        this.fileSystem = fileSystem;
        this.root = root;
        this.random = new Random(seed);
        this.usesPolicies = seed % 6 == 0;
        fileSystem.mkdirs(new Path(root));
        fileSystem.mkdirs(new Path(root + "-outside"));
    }

    String snapshot(String name) throws IOException {
        fileSystem.allowSnapshot(new Path(root));
        done.add("snapshot " + name);
        return fileSystem.createSnapshot(new Path(root), name).toUri().getPath();
    }

    void close() throws IOException {
        for (FSDataOutputStream one : open) {
            try {
                one.close();
            } catch (IOException e) {
                // Its file was deleted.
                done.add(e.getClass().getSimpleName());
            }
        }
        open.clear();
    }

    private String randomRelativePath() {
        StringBuilder path = new StringBuilder();
        for (int depth = 1 + random.nextInt(3); depth > 0; depth--) {
            path.append('/').append(NAMES[random.nextInt(NAMES.length)]);
        }
        return path.toString();
    }

    private Path randomOutsidePath() {
        return new Path(root + "-outside/" + NAMES[random.nextInt(NAMES.length)]);
    }

    void makeRandomCalls(int calls) {
        for (int i = 0; i < calls; i++) {
            int kind = random.nextInt(usesPolicies ? 25 : 24);
            String relativePath = randomRelativePath();
            String other = randomRelativePath();
            String call = kind + " " + relativePath + " " + other;
            try {
                makeCall(kind, relativePath, new Path(root + relativePath), new Path(root + other));
                done.add(call);
            } catch (IOException e) {
                done.add(call + " refused");
            }
        }
    }

    private void makeCall(int kind, String relativePath, Path path, Path otherPath) throws IOException {
        switch (kind) {
            case 0, 1 -> fileSystem.mkdirs(path);
            case 2, 3 -> fileSystem.create(path).close();
            case 4 -> write(fileSystem.create(path));
            case 5 -> write(fileSystem.append(path));
            case 6 -> cutAndAppend(path);
            case 7 -> fileSystem.delete(path, true);
            case 8, 9 -> fileSystem.rename(path, otherPath);
            case 10 -> fileSystem.rename(path, otherPath, Rename.OVERWRITE);
            case 11 -> swap(path, otherPath);
            case 12 -> fileSystem.setTimes(path, random.nextInt(1_000_000), -1);
            case 13 -> fileSystem.setTimes(path, -1, System.currentTimeMillis());
            case 14 -> fileSystem.setPermission(path, new FsPermission((short) random.nextInt(01000)));
            case 15 -> fileSystem.setOwner(path, "user" + random.nextInt(3), "group");
            case 16 -> setAcl(path);
            case 17 -> setAttribute(path);
            case 18 -> fileSystem.setReplication(path, (short) (1 + random.nextInt(3)));
            case 19 -> fileSystem.rename(path, randomOutsidePath());
            case 20 -> fileSystem.rename(randomOutsidePath(), path);
            case 21 -> fileSystem.concat(path, new Path[] {otherPath});
            case 22 -> {
                FSDataOutputStream out = fileSystem.create(path);
                out.write(1);
                out.hflush();
                open.add(out);
            }
            case 23 -> setQuota(relativePath, path);
            default -> {
                fileSystem.setStoragePolicy(path, random.nextBoolean() ? "HOT" : "COLD");
                silent.add(relativePath);
            }
        }
    }

    void write(FSDataOutputStream out) throws IOException {
        try (out) {
            out.write(new byte[1 + random.nextInt(3)]);
        }
    }

    /** HDFS's difference does not show it. */
    private void cutAndAppend(Path path) throws IOException {
        int length = (int) fileSystem.getFileStatus(path).getLen();
        fileSystem.truncate(path, 0);
        try (FSDataOutputStream out = fileSystem.append(path)) {
            out.write(new byte[length]);
        }
    }

    private void swap(Path one, Path otherPath) throws IOException {
        Path aside = new Path(root + "/aside");
        if (fileSystem.rename(one, aside)) {
            fileSystem.rename(otherPath, one);
            fileSystem.rename(aside, otherPath);
        }
    }

    private void setAcl(Path path) throws IOException {
        if (random.nextBoolean()) {
            fileSystem.removeAcl(path);
        } else {
            String spec = "user::rwx,group::r--,other::---,user:bob:rw-,mask::rw-";
            boolean isDirectory = fileSystem.getFileStatus(path).isDirectory();
            fileSystem.setAcl(path, AclEntry.parseAclSpec(isDirectory ? spec + ",default:user:bob:r--" : spec, true));
        }
    }

    private void setAttribute(Path path) throws IOException {
        if (random.nextInt(3) == 0) {
            fileSystem.removeXAttr(path, "user.a");
        } else {
            fileSystem.setXAttr(
                    path,
                    "user.a",
                    new byte[] {(byte) random.nextInt(3)},
                    EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
        }
    }

    private void setQuota(String relativePath, Path path) throws IOException {
        long names = random.nextBoolean() ? HdfsConstants.QUOTA_RESET : 100 + random.nextInt(3);
        fileSystem.setQuota(path, names, HdfsConstants.QUOTA_RESET);
        silent.add(relativePath);
    }
}
