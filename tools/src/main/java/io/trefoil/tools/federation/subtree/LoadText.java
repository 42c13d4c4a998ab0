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

    private static List<SubtreeCallCount> heaviest(NameserviceLoad one, int top) {
        return one.subtrees().subList(0, Math.min(top, one.subtrees().size()));
    }

    private Optional<SubtreeSize> size(NameserviceLoad one, SubtreeCallCount subtree) {
        return Optional.ofNullable(sizes.get(one.nameservice() + subtree.path()));
    }

    private static long inodes(SubtreeSize size) {
        return size.files() + size.directories();
    }

    String text() {
        Table table = new Table("Nameservice", "Subtree", "Reads/min", "Changes/min", "Calls %", "Inodes", "Blocks");
        StringBuilder times = new StringBuilder();
        for (NameserviceLoad one : survey.countedLoads().values()) {
            table.row(
                    one.nameservice(),
                    "/",
                    roundedText(one.readsPerMinute()),
                    roundedText(one.changesPerMinute()),
                    percent(one.callsPerMinute()),
                    Long.toString(one.inodes()),
                    Long.toString(one.blocks()));
            for (SubtreeCallCount subtree : heaviest(one, top)) {
                table.row(
                        one.nameservice(),
                        subtree.path(),
                        roundedText(subtree.readsPerMinute()),
                        roundedText(subtree.changesPerMinute()),
                        percent(subtree.callsPerMinute()),
                        size(one, subtree)
                                .map(size -> Long.toString(inodes(size)))
                                .orElse(UNKNOWN),
                        size(one, subtree)
                                .map(size -> Long.toString(size.blocks()))
                                .orElse(UNKNOWN));
            }
            times.append(one.nameservice())
                    .append(": calls of the last ")
                    .append(one.countingTime().toMillis() / 1000)
                    .append(" s; those of a subtree may be wrong by ")
                    .append((long) Math.ceil(one.maxErrorPerMinute()))
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
        for (NameserviceLoad one : survey.countedLoads().values()) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("nameservice", one.nameservice());
            object.put("seconds", one.countingTime().toMillis() / 1000);
            object.put("depth", one.depth());
            object.put("readsPerMinute", one.readsPerMinute());
            object.put("changesPerMinute", one.changesPerMinute());
            object.put("errorPerMinute", one.maxErrorPerMinute());
            object.put("inodes", one.inodes());
            object.put("blocks", one.blocks());
            List<Object> subtrees = new ArrayList<>();
            heaviest(one, top).forEach(subtree -> subtrees.add(json(one, subtree)));
            object.put("subtrees", subtrees);
            nameservices.add(object);
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("nameservices", nameservices);
        object.put("notKnown", survey.skippedNameservices());
        return object;
    }

    private Map<String, Object> json(NameserviceLoad one, SubtreeCallCount subtree) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("path", subtree.path());
        object.put("readsPerMinute", subtree.readsPerMinute());
        object.put("changesPerMinute", subtree.changesPerMinute());
        size(one, subtree).ifPresent(size -> {
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
