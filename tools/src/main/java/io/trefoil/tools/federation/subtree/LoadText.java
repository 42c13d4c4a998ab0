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

/** The loads of subtrees as text and as JSON. */
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
        this.all = survey.counted().values().stream()
                .mapToDouble(NameserviceLoad::callsAMinute)
                .sum();
    }

    private static List<SubtreeCallCount> heaviest(NameserviceLoad one, int top) {
        return one.subtrees().subList(0, Math.min(top, one.subtrees().size()));
    }

    private Optional<SubtreeSize> size(NameserviceLoad one, SubtreeCallCount subtree) {
        return Optional.ofNullable(sizes.get(one.nameservice() + subtree.path()));
    }

    private static long inodes(SubtreeSize size) {
        return size.files() + size.folders();
    }

    String text() {
        Table table = new Table("Nameservice", "Subtree", "Reads/min", "Changes/min", "Calls %", "Inodes", "Blocks");
        StringBuilder times = new StringBuilder();
        for (NameserviceLoad one : survey.counted().values()) {
            table.row(
                    one.nameservice(),
                    "/",
                    rounded(one.readsAMinute()),
                    rounded(one.changesAMinute()),
                    percent(one.callsAMinute()),
                    Long.toString(one.inodes()),
                    Long.toString(one.blocks()));
            for (SubtreeCallCount subtree : heaviest(one, top)) {
                table.row(
                        one.nameservice(),
                        subtree.path(),
                        rounded(subtree.readsAMinute()),
                        rounded(subtree.changesAMinute()),
                        percent(subtree.callsAMinute()),
                        size(one, subtree)
                                .map(size -> Long.toString(inodes(size)))
                                .orElse(UNKNOWN),
                        size(one, subtree)
                                .map(size -> Long.toString(size.blocks()))
                                .orElse(UNKNOWN));
            }
            times.append(one.nameservice())
                    .append(": calls of the last ")
                    .append(one.time().toMillis() / 1000)
                    .append(" s; those of a subtree may be wrong by ")
                    .append((long) Math.ceil(one.errorAMinute()))
                    .append(" a minute\n");
        }
        survey.skipped().forEach((nameservice, why) -> times.append(nameservice)
                .append(": not known: ")
                .append(why)
                .append('\n'));
        return table + "\n" + times;
    }

    Map<String, Object> json() {
        List<Object> nameservices = new ArrayList<>();
        for (NameserviceLoad one : survey.counted().values()) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("nameservice", one.nameservice());
            object.put("seconds", one.time().toMillis() / 1000);
            object.put("depth", one.depth());
            object.put("readsPerMinute", one.readsAMinute());
            object.put("changesPerMinute", one.changesAMinute());
            object.put("errorPerMinute", one.errorAMinute());
            object.put("inodes", one.inodes());
            object.put("blocks", one.blocks());
            List<Object> subtrees = new ArrayList<>();
            heaviest(one, top).forEach(subtree -> subtrees.add(json(one, subtree)));
            object.put("subtrees", subtrees);
            nameservices.add(object);
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("nameservices", nameservices);
        object.put("notKnown", survey.skipped());
        return object;
    }

    private Map<String, Object> json(NameserviceLoad one, SubtreeCallCount subtree) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("path", subtree.path());
        object.put("readsPerMinute", subtree.readsAMinute());
        object.put("changesPerMinute", subtree.changesAMinute());
        size(one, subtree).ifPresent(size -> {
            object.put("inodes", inodes(size));
            object.put("blocks", size.blocks());
        });
        return object;
    }

    private static String rounded(double number) {
        return Long.toString(Math.round(number));
    }

    private String percent(double calls) {
        return all > 0 ? rounded(100 * calls / all) : UNKNOWN;
    }
}
