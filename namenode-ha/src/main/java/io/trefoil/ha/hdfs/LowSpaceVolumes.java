/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;

/**
 * The volumes whose lack of space makes HDFS call its NameNode unhealthy: it reports "has no resources available", but not where.
 *
 * <p>Uses {@code FSNamesystem.getNamespaceEditsDirs}, {@code Configuration.getTrimmedStringCollection}, {@code getLongBytes}.
 */
final class LowSpaceVolumes {
    private static final long MIB = 1 << 20;

    private LowSpaceVolumes() {}

    /** The end of a sentence, naming each volume and its free space; empty if none is low. */
    static String describe(Configuration conf) {
        long reserved = conf.getLongBytes(
                DFSConfigKeys.DFS_NAMENODE_DU_RESERVED_KEY, DFSConfigKeys.DFS_NAMENODE_DU_RESERVED_DEFAULT);
        List<String> low = new ArrayList<>();
        for (String directory : checkedDirectories(conf)) {
            long left = new File(directory).getUsableSpace();
            if (left < reserved) {
                low.add(directory + " has " + left / MIB + " MiB left");
            }
        }
        return low.isEmpty()
                ? ""
                : ": " + String.join(", ", low) + ", less than the " + reserved / MIB + " MiB of "
                        + DFSConfigKeys.DFS_NAMENODE_DU_RESERVED_KEY + ": free some space";
    }

    /** The directories whose space {@code NameNodeResourceChecker} checks. */
    private static Set<String> checkedDirectories(Configuration conf) {
        Set<String> directories =
                new TreeSet<>(conf.getTrimmedStringCollection(DFSConfigKeys.DFS_NAMENODE_CHECKED_VOLUMES_KEY));
        try {
            for (URI edits : FSNamesystem.getNamespaceEditsDirs(conf)) {
                if ("file".equals(edits.getScheme())) {
                    directories.add(new File(edits.getPath()).getPath());
                }
            }
        } catch (IOException e) {
            // A shared directory that is wrong: the NameNode would not have started.
            return directories;
        }
        return directories;
    }
}
