/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.config;

import io.trefoil.checkpoint.hdfs.files.NameDirectoryFiles;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/**
 * The name directories of this host's NameNode according to the configuration; the NameNode need not be running.
 *
 * <p>Uses {@code DFSUtil.getNamenodeNameServiceId}, {@code HAUtil.getNameNodeId}, {@code
 * NameNode.initializeGenericKeys}, {@code FSNamesystem.getNamespaceDirs}, {@code getNamespaceEditsDirs}.
 */
public final class LocalNameDirectories {

    private final String nameservice;
    private final String name;
    private final Configuration conf;

    private LocalNameDirectories(String nameservice, String name, Configuration conf) {
        this.nameservice = nameservice;
        this.name = name;
        this.conf = conf;
    }

    /** @throws IllegalArgumentException if this host has no NameNode, or several; the text says what to set */
    public static LocalNameDirectories of(Configuration conf) {
        String nameservice = DFSUtil.getNamenodeNameServiceId(conf);
        String name = nameservice == null ? null : HAUtil.getNameNodeId(conf, nameservice);
        if (name == null) {
            throw new IllegalArgumentException(
                    "The configuration has no NameNode for this host: restore on the hosts of"
                            + " NameNodes, or say which is meant, -D " + DFSConfigKeys.DFS_NAMESERVICE_ID + "=… -D "
                            + DFSConfigKeys.DFS_HA_NAMENODE_ID_KEY + "=…");
        }
        Configuration own = new Configuration(conf);
        NameNode.initializeGenericKeys(own, nameservice, name);
        return new LocalNameDirectories(nameservice, name, own);
    }

    public String nameservice() {
        return nameservice;
    }

    public String name() {
        return name;
    }

    public Configuration conf() {
        return conf;
    }

    /** The directories for images first, then the local ones for edits only. */
    public List<NameDirectoryFiles> directories() throws IOException {
        Map<File, NameDirectoryFiles> directories = new LinkedHashMap<>();
        add(directories, FSNamesystem.getNamespaceDirs(conf), true);
        add(directories, FSNamesystem.getNamespaceEditsDirs(conf), false);
        return new ArrayList<>(directories.values());
    }

    private static void add(Map<File, NameDirectoryFiles> directories, Collection<URI> uris, boolean holdsImages) {
        for (URI uri : uris) {
            if ("file".equals(uri.getScheme())) {
                directories.computeIfAbsent(new File(uri), file -> NameDirectoryFiles.of(file, holdsImages));
            }
        }
    }
}
