/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.table;

import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A version as properties that Hadoop's ViewFs reads as a mount table, so that stock clients follow the table, too. What ViewFs has no
 * property for is kept under Trefoil's names. A link's nameservice is the authority of its target, whose path is the link's.
 */
public final class TableCodec {

    /**
     * The prefix of properties that are not settings, and therefore not {@code trefoil.}: a client that finds one among its settings must
     * not warn about it.
     */
    private static final String OWN = "io.trefoil.subtrees.";

    private static final String NAME = OWN + "name";
    private static final String VERSION = OWN + "version";
    private static final String CHANGE = OWN + "change";
    private static final String REQUESTER_KEY = OWN + "by";
    private static final String CREATED_AT_KEY = OWN + "at";

    /**
     * The prefix of the property with the nameservices of a hashed directory, whose path follows. No link: stock clients could not follow
     * it, and would lose all others.
     */
    private static final String HASHED = OWN + "hashed.";

    private static final String MOUNTS = "fs.viewfs.mounttable.";
    private static final String LINK = ".link.";
    private static final String FALLBACK = ".linkFallback";
    private static final String SCHEME = "hdfs://";

    private TableCodec() {}

    /** The record as properties, in an order for human readers. */
    public static Map<String, String> encode(TableRecord record) {
        SubtreeTable table = record.table();
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put(VERSION, String.valueOf(table.version()));
        properties.put(NAME, table.name());
        properties.put(CHANGE, record.change());
        properties.put(REQUESTER_KEY, record.requester());
        properties.put(CREATED_AT_KEY, record.createdAt().toString());
        // Otherwise clients would refuse a rename between two entries of the same nameservice, though one file system
        // can carry it out.
        properties.put("fs.viewfs.rename.strategy", "SAME_FILESYSTEM_ACROSS_MOUNTPOINT");
        table.owners().forEach((path, owner) -> {
            String key = MOUNTS + table.name() + (path.isRoot() ? FALLBACK : LINK + path);
            properties.put(key, SCHEME + owner + path);
        });
        table.hashedDirectories()
                .forEach((path, nameservices) -> properties.put(HASHED + path, String.join(",", nameservices)));
        return properties;
    }

    /** @throws IOException if the properties are not what {@link #encode} makes; the text says what is wrong */
    public static TableRecord decode(Map<String, String> properties) throws IOException {
        try {
            String name = requireProperty(properties, NAME);
            String links = MOUNTS + name + LINK;
            Map<SubtreePath, String> owners = new TreeMap<>();
            Map<SubtreePath, List<String>> hashed = new TreeMap<>();
            for (Map.Entry<String, String> entry : properties.entrySet()) {
                if (entry.getKey().startsWith(links)) {
                    SubtreePath path = SubtreePath.parse(entry.getKey().substring(links.length()));
                    owners.put(path, parseOwner(path, entry.getValue()));
                } else if (entry.getKey().startsWith(HASHED)) {
                    SubtreePath path = SubtreePath.parse(entry.getKey().substring(HASHED.length()));
                    hashed.put(
                            path,
                            Collections.unmodifiableList(
                                    Arrays.asList(entry.getValue().split(","))));
                } else if (entry.getKey().equals(MOUNTS + name + FALLBACK)) {
                    owners.put(SubtreePath.root(), parseOwner(SubtreePath.root(), entry.getValue()));
                } else if (entry.getKey().startsWith(MOUNTS)) {
                    throw new IOException("Unknown property '" + entry.getKey() + "'");
                }
            }
            SubtreeTable table =
                    SubtreeTable.of(Integer.parseInt(requireProperty(properties, VERSION)), name, owners, hashed);
            return TableRecord.of(
                    table,
                    requireProperty(properties, CHANGE),
                    requireProperty(properties, REQUESTER_KEY),
                    Instant.parse(requireProperty(properties, CREATED_AT_KEY)));
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IOException("This is not a version of a table of subtrees: " + e.getMessage(), e);
        }
    }

    private static String parseOwner(SubtreePath path, String target) {
        if (!target.startsWith(SCHEME) || !target.endsWith(path.text())) {
            throw new IllegalArgumentException(
                    path + " leads to '" + target + "', wanted the same path of a nameservice");
        }
        return target.substring(SCHEME.length(), target.length() - path.text().length());
    }

    private static String requireProperty(Map<String, String> properties, String name) throws IOException {
        String value = properties.get(name);
        if (value == null) {
            throw new IOException("This is not a version of a table of subtrees: it has no " + name);
        }
        return value;
    }
}
