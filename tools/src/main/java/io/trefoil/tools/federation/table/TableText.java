/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.table;

import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.tools.output.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Prints versions of the table, as text for human readers and JSON for programs. */
final class TableText {

    private TableText() {}

    static String text(SubtreeTable table) {
        Table entries = new Table("Subtree", "Nameservice");
        table.owners().forEach((path, owner) -> entries.row(path.text(), owner));
        table.hashedDirectories()
                .forEach((path, nameservices) ->
                        entries.row(path.text(), "hashed over " + String.join(",", nameservices)));
        return "hdfs://" + table.name() + ", version " + table.version() + "\n\n" + entries;
    }

    static Map<String, Object> json(SubtreeTable table) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", table.name());
        object.put("version", table.version());
        List<Object> entries = new ArrayList<>();
        table.owners().forEach((path, owner) -> {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("path", path.text());
            entry.put("nameservice", owner);
            entries.add(entry);
        });
        object.put("entries", entries);
        List<Object> hashed = new ArrayList<>();
        table.hashedDirectories().forEach((path, nameservices) -> {
            Map<String, Object> directory = new LinkedHashMap<>();
            directory.put("path", path.text());
            directory.put("nameservices", nameservices);
            hashed.add(directory);
        });
        object.put("hashed", hashed);
        return object;
    }

    static String history(List<TableRecord> records) {
        Table versions = new Table("Version", "Time", "By", "Change");
        for (TableRecord past : records) {
            versions.row(
                    String.valueOf(past.table().version()),
                    past.createdAt().toString(),
                    past.requester(),
                    past.change());
        }
        return versions.toString();
    }

    static Map<String, Object> historyJson(List<TableRecord> records) {
        List<Object> versions = new ArrayList<>();
        for (TableRecord past : records) {
            Map<String, Object> version = json(past.table());
            version.put("at", past.createdAt().toString());
            version.put("by", past.requester());
            version.put("change", past.change());
            versions.add(version);
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("versions", versions);
        return object;
    }
}
