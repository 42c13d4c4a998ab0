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
 * The settings that the NameNodes of a nameservice run with, as their pages {@code /conf} have them: those of this host may be others. A
 * standby counts as well, since it may be the active of the next moment. Immutable.
 */
public final class NameNodeSettings {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String PROTECTED = CommonConfigurationKeysPublic.FS_PROTECTED_DIRECTORIES;
    private static final String WITH_NEXT = DFSConfigKeys.DFS_PROTECTED_SUBDIRECTORIES_ENABLE;
    private static final String AUTHORIZER = DFSConfigKeys.DFS_NAMENODE_INODE_ATTRIBUTES_PROVIDER_KEY;
    private static final String DIFFERENCES = DFSConfigKeys.DFS_NAMENODE_SNAPSHOT_DIFF_ALLOW_SNAP_ROOT_DESCENDANT;
    private static final String GATE = "trefoil.federation.gate";
    private static final String OBJECTS = DFSConfigKeys.DFS_NAMENODE_MAX_OBJECTS_KEY;
    private static final String SNAPSHOTS = DFSConfigKeys.DFS_NAMENODE_SNAPSHOT_FILESYSTEM_LIMIT;
    private static final String SNAPSHOTS_OF_ONE = DFSConfigKeys.DFS_NAMENODE_SNAPSHOT_MAX_LIMIT;
    private static final String CONTENTS = "/jmx?qry=Hadoop:service=NameNode,name=FSNamesystem";
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The folder for what is on its way from one name to another, and one that is put in the place of the first. */
    private static final long OF_MOVE = 2;

    private final String nameservice;
    /** The settings of each NameNode, by name. */
    private final SortedMap<String, SortedMap<String, String>> settings;
    /** The files, folders and blocks that NameNodes have, of those that may have so many. */
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

    /** Asks all that the configuration has; one that does not answer in time is among {@link #unanswered}. */
    public static NameNodeSettings of(DistributedFileSystem end) {
        String nameservice = end.getUri().getHost();
        WebPages pages = new WebPages(end.getConf());
        SortedMap<String, SortedMap<String, String>> settings = new TreeMap<>();
        SortedMap<String, Long> objects = new TreeMap<>();
        List<String> unanswered = new ArrayList<>();
        Map<String, String> addresses = pages.addresses().getOrDefault(nameservice, Collections.emptyMap());
        if (addresses.isEmpty()) {
            unanswered.add(unknown("NameNodes of " + nameservice, "this configuration has no web address of theirs"));
        }
        addresses.forEach((name, address) -> {
            try {
                SortedMap<String, String> own = parsed(pages.read(address, "/conf", PATIENCE));
                settings.put(name, own);
                if (number(own, OBJECTS) > 0) {
                    objects.put(name, objects(pages.read(address, CONTENTS, PATIENCE)));
                }
            } catch (IOException e) {
                unanswered.add(unknown(
                        "NameNode " + address + " of " + nameservice,
                        e.toString().split("\n", 2)[0]));
            }
        });
        return new NameNodeSettings(nameservice, settings, objects, unanswered);
    }

    private static long objects(String page) throws IOException {
        try {
            JsonNode bean = JSON.readTree(page).path("beans").path(0);
            return bean.path("FilesTotal").asLong() + bean.path("BlocksTotal").asLong();
        } catch (JsonProcessingException e) {
            throw new IOException("wanted /jmx as JSON, found something else: " + e.getOriginalMessage(), e);
        }
    }

    /** 0 if there is none. */
    private static long number(SortedMap<String, String> settings, String key) {
        String text = settings.getOrDefault(key, "").trim();
        return text.matches("[0-9]+") ? Long.parseLong(text) : 0;
    }

    private static String unknown(String who, String why) {
        return "The settings of " + who + " could not be asked for, so look yourself at " + AUTHORIZER + ", "
                + PROTECTED + ", and limits that the subtree may not fit: " + why;
    }

    private static SortedMap<String, String> parsed(String page) throws IOException {
        Configuration read = new Configuration(false);
        read.addResource(new ByteArrayInputStream(page.getBytes(StandardCharsets.UTF_8)), "/conf");
        SortedMap<String, String> settings = new TreeMap<>();
        try {
            for (Map.Entry<String, String> one : read) {
                settings.put(one.getKey(), one.getValue());
            }
        } catch (RuntimeException e) {
            throw new IOException("wanted /conf as XML, found something else: " + e.getMessage(), e);
        }
        return settings;
    }

    /** The NameNodes that could not be asked, and what that means, a sentence each. */
    public List<String> unanswered() {
        return unanswered;
    }

    /** The limits of the NameNodes for files and folders. */
    public TreeLimits limits() {
        TreeLimits limits = TreeLimits.none("hdfs://" + nameservice);
        for (SortedMap<String, String> one : settings.values()) {
            limits = limits.and(one);
        }
        return limits;
    }

    /** Why a subtree can be neither closed, nor deleted or made again there. */
    public List<MoveBlocker> blockers(String path) {
        List<MoveBlocker> blockers = new ArrayList<>();
        settings.forEach((name, one) -> {
            String authorizer = one.getOrDefault(AUTHORIZER, "").trim();
            if (!authorizer.isEmpty() && !haveGates()) {
                blockers.add(MoveBlocker.of(
                        "NameNode " + name + " of " + nameservice + " has " + AUTHORIZER + " " + authorizer
                                + ", which may let clients into a folder that is closed by its permissions: set " + GATE
                                + " at all NameNodes of " + nameservice + ", which closes it to them"));
            }
            boolean withNext = isTrue(one.get(WITH_NEXT));
            for (String folder : one.getOrDefault(PROTECTED, "").split(",")) {
                String kept = folder.trim();
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

    /** Why a subtree has no room besides all that is there. */
    public List<MoveBlocker> tooManyObjects(SubtreeSize size) {
        List<MoveBlocker> blockers = new ArrayList<>();
        long more = size.files() + size.folders() + size.blocks() + OF_MOVE;
        objects.forEach((name, has) -> {
            long limit = number(settings.get(name), OBJECTS);
            if (has + more > limit) {
                blockers.add(MoveBlocker.of("NameNode " + name + " of " + nameservice + " may have " + limit
                        + " files, folders and blocks, has " + has + ", and would get up to " + more + ": raise "
                        + OBJECTS + " there"));
            }
        });
        return blockers;
    }

    /**
     * Why a folder can get no more snapshots.
     *
     * @param all those that each folder has which may have any
     * @param folder the one that is to have more
     */
    public List<MoveBlocker> tooManySnapshots(Map<String, Integer> all, String folder, int more) {
        long total = all.values().stream().mapToLong(Integer::longValue).sum();
        List<MoveBlocker> blockers = new ArrayList<>();
        settings.forEach((name, one) -> {
            tooMany("hdfs://" + nameservice, total, more, name, SNAPSHOTS).ifPresent(blockers::add);
            tooMany("hdfs://" + nameservice + folder, all.getOrDefault(folder, 0), more, name, SNAPSHOTS_OF_ONE)
                    .ifPresent(blockers::add);
        });
        return blockers;
    }

    private Optional<MoveBlocker> tooMany(String what, long has, int more, String nameNode, String key) {
        long limit = number(settings.get(nameNode), key);
        return limit > 0 && has + more > limit
                ? Optional.of(MoveBlocker.of(what + " has " + has + " snapshots, and a move needs " + more
                        + " more, which NameNode " + nameNode + " would refuse: " + key + " is " + limit
                        + "; delete some, or raise it there"))
                : Optional.empty();
    }

    /** Whether all NameNodes have answered, and heed marks. */
    public boolean haveGates() {
        return unanswered.isEmpty() && settings.values().stream().allMatch(one -> isTrue(one.get(GATE)));
    }

    /** The NameNodes that refuse differences of a folder between snapshots of the root. */
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
