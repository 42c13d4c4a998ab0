/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import io.trefoil.tools.cluster.HostFacts;
import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.ConfigRedactor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.util.VersionInfo;

/**
 * The facts of this host according to Hadoop's configuration and this process's environment.
 *
 * <p>Uses {@code ConfigRedactor}, {@code Configuration.iterator}, {@code getPropertySources}, {@code VersionInfo}.
 */
final class LocalHostFacts implements HostFacts {
    private static final String OTHER_VALUE = "a value";

    private static final List<String> STORAGE = Arrays.asList(
            DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, DFSConfigKeys.DFS_NAMENODE_EDITS_DIR_KEY, "trefoil.journal.dir");

    private final Configuration conf;
    private final Map<String, String> environment;

    LocalHostFacts(Configuration conf, Map<String, String> environment) {
        this.conf = conf;
        this.environment = environment;
    }

    @Override
    public Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>();
        for (Map.Entry<String, String> entry : conf) {
            String[] sources = conf.getPropertySources(entry.getKey());
            boolean isDefault = sources != null && sources.length > 0 && sources[0].endsWith("-default.xml");
            if (!isDefault) {
                settings.put(entry.getKey(), entry.getValue());
            }
        }
        return settings;
    }

    @Override
    public boolean isSensitive(String name) {
        return !new ConfigRedactor(conf).redact(name, OTHER_VALUE).equals(OTHER_VALUE);
    }

    @Override
    public List<Path> logDirectories() {
        Set<Path> directories = new LinkedHashSet<>();
        String home = environment.get("HADOOP_HOME");
        String own = environment.get("HADOOP_LOG_DIR");
        if (own != null) {
            directories.add(Paths.get(own));
        }
        if (home != null) {
            directories.add(Paths.get(home, "logs"));
        }
        // What the packages of distributions use; this command may run as another user than the NameNode.
        directories.add(Paths.get("/var/log/hadoop-hdfs"));
        directories.add(Paths.get("/var/log/hadoop"));
        directories.removeIf(directory -> !directory.toFile().isDirectory());
        return new ArrayList<>(directories);
    }

    @Override
    public List<Path> storageDirectories() {
        Set<Path> directories = new LinkedHashSet<>();
        settings().keySet().forEach(name -> {
            // Also those for one NameNode, whose names end with its nameservice and id.
            if (STORAGE.stream().anyMatch(name::startsWith)) {
                for (String directory : conf.getTrimmedStrings(name)) {
                    directories.add(Paths.get(
                            directory.startsWith("file:")
                                    ? URI.create(directory).getPath()
                                    : directory));
                }
            }
        });
        return new ArrayList<>(directories);
    }

    @Override
    public Map<String, String> versions() {
        Map<String, String> versions = new TreeMap<>();
        versions.put("hadoop", VersionInfo.getVersion());
        for (String property :
                new String[] {"java.version", "java.vm.name", "os.name", "os.version", "os.arch", "user.name"}) {
            versions.put(property, System.getProperty(property));
        }
        for (String variable : new String[] {"HADOOP_HOME", "HADOOP_CONF_DIR", "HADOOP_LOG_DIR", "JAVA_HOME"}) {
            versions.put(variable, environment.getOrDefault(variable, "not set"));
        }
        StringBuilder jars = new StringBuilder();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            jars.append("\n  ").append(entry);
        }
        versions.put("classpath", jars.toString());
        return versions;
    }
}
