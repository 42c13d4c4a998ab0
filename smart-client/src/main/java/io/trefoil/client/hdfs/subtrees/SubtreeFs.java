/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs.subtrees;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.ViewDistributedFileSystem;

/**
 * {@code hdfs://} for {@code FileContext}, as {@code fs.AbstractFileSystem.hdfs.impl}: paths of a federation go to the owners of their
 * subtrees. Hadoop has this for {@code FileSystem} alone, and jobs use both. A URI that no mount table is for is that of a
 * nameservice, as ever. Follows the version of the table that was there when it was made. For use by many threads.
 */
public final class SubtreeFs extends DelegateToFileSystem {

    private static final String SCHEME = "hdfs";

    /** By Hadoop's contract of file systems that {@code FileContext} makes. Waits for the nameservice that keeps the table. */
    public SubtreeFs(URI uri, Configuration conf) throws IOException, URISyntaxException {
        // A copy: the view adds the mount table to its configuration, and this one is the program's.
        super(uri, new View(), new Configuration(conf), SCHEME, true);
    }

    /** In one step, and not by removing what is there first. */
    @Override
    public void renameInternal(Path from, Path to, boolean overwrite) throws IOException {
        ((View) fsImpl).rename(from, to, overwrite ? Options.Rename.OVERWRITE : Options.Rename.NONE);
    }

    private static final class View extends ViewDistributedFileSystem {

        /** None: with HDFS's, {@code FileContext} would add it to all paths, and the view would not know them for its own. */
        @Override
        protected int getDefaultPort() {
            return 0;
        }
    }
}
