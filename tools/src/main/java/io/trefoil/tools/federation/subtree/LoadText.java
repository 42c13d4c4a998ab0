/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.subtree;

import io.trefoil.federation.move.SubtreeSize;
import io.trefoil.tools.federation.load.LoadSurvey;
import io.trefoil.tools.federation.load.NameserviceLoad;
import io.trefoil.tools.federation.load.SubtreeCallCount;
import io.trefoil.tools.output.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Prints the loads of subtrees as text and as JSON. */
final class LoadText {
    private static final String UNKNOWN = "-";

    private final LoadSurvey survey;
    private final Map<String, SubtreeSize> sizes;
    private final int top;
    private final double all;

    /**
     * @param sizes by nameservice and path, as far as they are known
     * @param top subtrees of each nameservice
     */
    LoadText(LoadSurvey survey, Map<String, SubtreeSize> sizes, int top) {
        this.survey = survey;
        this.sizes = sizes;
        this.top = top;
        this.all = survey.countedLoads().values().stream()
                .mapToDouble(NameserviceLoad::callsPerMinute)
                .sum();
    }

    private static List<SubtreeCallCount> heaviest(NameserviceLoad load, int top) {
        return load.subtrees().subList(0, Math.min(top, load.subtrees().size()));
    }

    private Optional<SubtreeSize> size(NameserviceLoad load, SubtreeCallCount subtree) {
        return Optional.ofNullable(sizes.get(load.nameservice() + subtree.path()));
    }

    private static long inodes(SubtreeSize size) {
        return size.files() + size.directories();
    }

    String text() {
        Table table = new Table("Nameservice", "Subtree", "Reads/min", "Changes/min", "Calls %", "Inodes", "Blocks");
        StringBuilder times = new StringBuilder();
        for (NameserviceLoad load : survey.countedLoads().values()) {
            table.row(
                    load.nameservice(),
                    "/",
                    roundedText(load.readsPerMinute()),
                    roundedText(load.changesPerMinute()),
                    percent(load.callsPerMinute()),
                    Long.toString(load.inodes()),
                    Long.toString(load.blocks()));
            for (SubtreeCallCount subtree : heaviest(load, top)) {
                table.row(
                        load.nameservice(),
                        subtree.path(),
                        roundedText(subtree.readsPerMinute()),
                        roundedText(subtree.changesPerMinute()),
                        percent(subtree.callsPerMinute()),
                        size(load, subtree)
                                .map(size -> Long.toString(inodes(size)))
                                .orElse(UNKNOWN),
                        size(load, subtree)
                                .map(size -> Long.toString(size.blocks()))
                                .orElse(UNKNOWN));
            }
            times.append(load.nameservice())
                    .append(": calls of the last ")
                    .append(load.countingTime().toMillis() / 1000)
                    .append(" s; those of a subtree may be wrong by ")
                    .append((long) Math.ceil(load.maxErrorPerMinute()))
                    .append(" a minute\n");
        }
        survey.skippedNameservices().forEach((nameservice, reason) -> times.append(nameservice)
                .append(": not known: ")
                .append(reason)
                .append('\n'));
        return table + "\n" + times;
    }

    Map<String, Object> json() {
        List<Object> nameservices = new ArrayList<>();
        for (NameserviceLoad load : survey.countedLoads().values()) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("nameservice", load.nameservice());
            object.put("seconds", load.countingTime().toMillis() / 1000);
            object.put("depth", load.depth());
            object.put("readsPerMinute", load.readsPerMinute());
            object.put("changesPerMinute", load.changesPerMinute());
            object.put("errorPerMinute", load.maxErrorPerMinute());
            object.put("inodes", load.inodes());
            object.put("blocks", load.blocks());
            List<Object> subtrees = new ArrayList<>();
            heaviest(load, top).forEach(subtree -> subtrees.add(json(load, subtree)));
            object.put("subtrees", subtrees);
            nameservices.add(object);
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("nameservices", nameservices);
        object.put("notKnown", survey.skippedNameservices());
        return object;
    }

    private Map<String, Object> json(NameserviceLoad load, SubtreeCallCount subtree) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("path", subtree.path());
        object.put("readsPerMinute", subtree.readsPerMinute());
        object.put("changesPerMinute", subtree.changesPerMinute());
        size(load, subtree).ifPresent(size -> {
            object.put("inodes", inodes(size));
            object.put("blocks", size.blocks());
        });
        return object;
    }

    private static String roundedText(double number) {
        return Long.toString(Math.round(number));
    }

    private String percent(double calls) {
        return all > 0 ? roundedText(100 * calls / all) : UNKNOWN;
    }
}
