/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.limits;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trefoil.federation.marks.NormalizedPath;
import io.trefoil.federation.move.MoveBlocker;
import io.trefoil.federation.move.SubtreeSize;
import io.trefoil.foundation.hdfs.WebPages;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * The settings that the NameNodes of a nameservice run with, as shown on their pages {@code /conf}, as those of this host may differ. A
 * standby counts as well, since it may be the active of the next moment. Immutable.
 */
public final class NameNodeSettings {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final String PROTECTED = CommonConfigurationKeysPublic.FS_PROTECTED_DIRECTORIES;
    private static final String SUBDIRECTORIES_PROTECTED_KEY = DFSConfigKeys.DFS_PROTECTED_SUBDIRECTORIES_ENABLE;
    private static final String AUTHORIZER = DFSConfigKeys.DFS_NAMENODE_INODE_ATTRIBUTES_PROVIDER_KEY;
    private static final String DIFFERENCES = DFSConfigKeys.DFS_NAMENODE_SNAPSHOT_DIFF_ALLOW_SNAP_ROOT_DESCENDANT;
    private static final String GATE = "trefoil.federation.gate";
    private static final String OBJECTS = DFSConfigKeys.DFS_NAMENODE_MAX_OBJECTS_KEY;
    private static final String SNAPSHOTS = DFSConfigKeys.DFS_NAMENODE_SNAPSHOT_FILESYSTEM_LIMIT;
    private static final String SNAPSHOTS_OF_ONE = DFSConfigKeys.DFS_NAMENODE_SNAPSHOT_MAX_LIMIT;
    private static final String CONTENTS = "/jmx?qry=Hadoop:service=NameNode,name=FSNamesystem";
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * The number of directories that a move makes besides those of the subtree: one for inodes that are being renamed,
     * and one that replaces the first.
     */
    private static final long MOVE_DIRECTORIES = 2;

    private final String nameservice;
    /** The settings of each NameNode, by name. */
    private final SortedMap<String, SortedMap<String, String>> settings;
    /** The numbers of files, directories and blocks on those NameNodes that have a limit for them. */
    private final SortedMap<String, Long> objects;

    private final List<String> unanswered;

    private NameNodeSettings(
            String nameservice,
            SortedMap<String, SortedMap<String, String>> settings,
            SortedMap<String, Long> objects,
            List<String> unanswered) {
        this.nameservice = nameservice;
        this.settings = settings;
        this.objects = objects;
        this.unanswered = unanswered;
    }

    /** Queries all configured NameNodes; those that do not answer in time are in {@link #unanswered}. */
    public static NameNodeSettings of(DistributedFileSystem end) {
        String nameservice = end.getUri().getHost();
        WebPages pages = new WebPages(end.getConf());
        SortedMap<String, SortedMap<String, String>> settings = new TreeMap<>();
        SortedMap<String, Long> objects = new TreeMap<>();
        List<String> unanswered = new ArrayList<>();
        Map<String, String> addresses = pages.addresses().getOrDefault(nameservice, Collections.emptyMap());
        if (addresses.isEmpty()) {
            unanswered.add(
                    unansweredText("NameNodes of " + nameservice, "this configuration has no web address of theirs"));
        }
        addresses.forEach((name, address) -> {
            try {
                SortedMap<String, String> own = parsePage(pages.read(address, "/conf", TIMEOUT));
                settings.put(name, own);
                if (numberOrZero(own, OBJECTS) > 0) {
                    objects.put(name, parseObjectCount(pages.read(address, CONTENTS, TIMEOUT)));
                }
            } catch (IOException e) {
                unanswered.add(unansweredText(
                        "NameNode " + address + " of " + nameservice,
                        e.toString().split("\n", 2)[0]));
            }
        });
        return new NameNodeSettings(nameservice, settings, objects, unanswered);
    }

    private static long parseObjectCount(String page) throws IOException {
        try {
            JsonNode bean = JSON.readTree(page).path("beans").path(0);
            return bean.path("FilesTotal").asLong() + bean.path("BlocksTotal").asLong();
        } catch (JsonProcessingException e) {
            throw new IOException("wanted /jmx as JSON, found something else: " + e.getOriginalMessage(), e);
        }
    }

    /** The number in a setting; 0 if there is none. */
    private static long numberOrZero(SortedMap<String, String> settings, String key) {
        String text = settings.getOrDefault(key, "").trim();
        return text.matches("[0-9]+") ? Long.parseLong(text) : 0;
    }

    private static String unansweredText(String server, String reason) {
        return "The settings of " + server + " could not be read, so check " + AUTHORIZER + ", " + PROTECTED
                + ", and limits that the subtree may not fit: " + reason;
    }

    private static SortedMap<String, String> parsePage(String page) throws IOException {
        Configuration read = new Configuration(false);
        read.addResource(new ByteArrayInputStream(page.getBytes(StandardCharsets.UTF_8)), "/conf");
        SortedMap<String, String> settings = new TreeMap<>();
        try {
            for (Map.Entry<String, String> entry : read) {
                settings.put(entry.getKey(), entry.getValue());
            }
        } catch (RuntimeException e) {
            throw new IOException("wanted /conf as XML, found something else: " + e.getMessage(), e);
        }
        return settings;
    }

    /** The NameNodes that could not be asked, and the consequence, one sentence each. */
    public List<String> unanswered() {
        return unanswered;
    }

    /** The limits of the NameNodes for files and directories. */
    public TreeLimits limits() {
        TreeLimits limits = TreeLimits.none("hdfs://" + nameservice);
        for (SortedMap<String, String> setting : settings.values()) {
            limits = limits.withStricter(setting);
        }
        return limits;
    }

    /** Returns why a subtree cannot be closed, or deleted or recreated, there. */
    public List<MoveBlocker> blockers(String path) {
        List<MoveBlocker> blockers = new ArrayList<>();
        settings.forEach((name, one) -> {
            String authorizer = one.getOrDefault(AUTHORIZER, "").trim();
            if (!authorizer.isEmpty() && !allHaveGates()) {
                blockers.add(MoveBlocker.of("NameNode " + name + " of " + nameservice + " has " + AUTHORIZER + " "
                        + authorizer
                        + ", which may let clients into a directory that is closed by its permissions: set " + GATE
                        + " at all NameNodes of " + nameservice + ", which closes it to them"));
            }
            boolean withNext = isTrue(one.get(SUBDIRECTORIES_PROTECTED_KEY));
            for (String directory : one.getOrDefault(PROTECTED, "").split(",")) {
                String kept = directory.trim();
                if (!kept.isEmpty() && (isBelow(kept, path) || (withNext && NormalizedPath.contains(kept, path)))) {
                    blockers.add(MoveBlocker.of("NameNode " + name + " of " + nameservice + " protects " + kept + " ("
                            + PROTECTED + "), so what is in " + path
                            + " can be neither deleted nor renamed there: take it out of that setting, type"
                            + " 'hdfs dfsadmin -reconfig namenode HOST:PORT start', and move then"));
                }
            }
        });
        return blockers;
    }

    /** Returns why there is no room for a subtree in addition to everything that exists. */
    public List<MoveBlocker> objectLimitBlockers(SubtreeSize size) {
        List<MoveBlocker> blockers = new ArrayList<>();
        long more = size.files() + size.directories() + size.blocks() + MOVE_DIRECTORIES;
        objects.forEach((name, has) -> {
            long limit = numberOrZero(settings.get(name), OBJECTS);
            if (has + more > limit) {
                blockers.add(MoveBlocker.of("NameNode " + name + " of " + nameservice + " may have " + limit
                        + " files, directories and blocks, has " + has + ", and would get up to " + more + ": raise "
                        + OBJECTS + " there"));
            }
        });
        return blockers;
    }

    /**
     * Returns why a directory can get no more snapshots.
     *
     * @param all those that each directory has which may have any
     * @param directory the one that is to have more
     */
    public List<MoveBlocker> snapshotLimitBlockers(Map<String, Integer> all, String directory, int more) {
        long total = all.values().stream().mapToLong(Integer::longValue).sum();
        List<MoveBlocker> blockers = new ArrayList<>();
        settings.forEach((name, one) -> {
            countLimitBlocker("hdfs://" + nameservice, total, more, name, SNAPSHOTS)
                    .ifPresent(blockers::add);
            countLimitBlocker(
                            "hdfs://" + nameservice + directory,
                            all.getOrDefault(directory, 0),
                            more,
                            name,
                            SNAPSHOTS_OF_ONE)
                    .ifPresent(blockers::add);
        });
        return blockers;
    }

    private Optional<MoveBlocker> countLimitBlocker(
            String quantity, long count, int more, String nameNode, String key) {
        long limit = numberOrZero(settings.get(nameNode), key);
        return limit > 0 && count + more > limit
                ? Optional.of(MoveBlocker.of(quantity + " has " + count + " snapshots, and a move needs " + more
                        + " more, which NameNode " + nameNode + " would refuse: " + key + " is " + limit
                        + "; delete some, or raise it there"))
                : Optional.empty();
    }

    /** Whether all NameNodes have answered, and obey marks. */
    public boolean allHaveGates() {
        return unanswered.isEmpty() && settings.values().stream().allMatch(setting -> isTrue(setting.get(GATE)));
    }

    /** The NameNodes that refuse to list a directory's differences between snapshots of the root. */
    public List<String> nodesRefusingDiff() {
        List<String> refusing = new ArrayList<>();
        settings.forEach((name, one) -> {
            if (!isTrue(one.getOrDefault(DIFFERENCES, "true"))) {
                refusing.add("NameNode " + name + " of " + nameservice + " has " + DIFFERENCES
                        + " false, and so compares no subtree between snapshots of the root: take that away");
            }
        });
        return refusing;
    }

    private static boolean isTrue(String value) {
        return value != null && value.trim().equalsIgnoreCase("true");
    }

    private static boolean isBelow(String kept, String path) {
        return !kept.equals(path) && NormalizedPath.contains(path, kept);
    }
}
