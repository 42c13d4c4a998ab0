/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs.version;

import io.trefoil.federation.client.SubtreeOwnerResolver;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Hadoop's client of one nameservice of a table. What is below {@code /.reserved} is in no entry, so by the federation's name it would be
 * asked of the root's owner, whatever it names: a number is that of another file there, and a raw path may be that of a sealed, empty
 * directory. Both are refused as paths of another file system are, with the name to use. Thread-safe.
 *
 * <p>All calls of Hadoop's client check their paths.
 */
final class OwnerFileSystem extends DistributedFileSystem {

    private static final String RESERVED = "/.reserved/";
    private static final String NUMBERS = RESERVED + ".inodes";
    private static final String RAW = RESERVED + "raw";

    /** Creates the file system; Hadoop calls this. */
    public OwnerFileSystem() {}

    /** @throws IllegalArgumentException if it is another nameservice's, or may be */
    @Override
    protected void checkPath(Path path) {
        super.checkPath(path);
        String text = path.toUri().getPath();
        if (text.startsWith(RESERVED) && SubtreeView.hasTable(getConf())) {
            requireSameOwner(text, getConf());
        }
    }

    private void requireSameOwner(String path, Configuration conf) {
        if (isIn(NUMBERS, path)) {
            throw new IllegalArgumentException("Wrong FS: " + path
                    + " is another file in each nameservice; name the one that is meant, as " + getUri() + path);
        }
        if (!isIn(RAW, path)) {
            return;
        }
        SubtreeOwnerResolver owners = SubtreeView.tableOwners(conf);
        String inside = path.equals(RAW) ? "/" : path.substring(RAW.length());
        if (owners.isAboveEntry(inside)) {
            throw new IllegalArgumentException("Wrong FS: " + inside + " is not all in " + getUri()
                    + "; name the nameservice whose part is meant, as " + getUri() + path);
        }
        String owner = owners.ownerOf(inside);
        if (!owner.equals(getUri().getAuthority())) {
            throw new IllegalArgumentException("Wrong FS: " + inside + " belongs to " + owner
                    + "; a raw path needs the name of its nameservice, as hdfs://NAMESERVICE" + path);
        }
    }

    private static boolean isIn(String directory, String path) {
        return path.equals(directory) || path.startsWith(directory + "/");
    }
}
