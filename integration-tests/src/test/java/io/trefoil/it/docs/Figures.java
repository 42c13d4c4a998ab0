/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.docs;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The figures that pages state in tables whose first line is {@code | figure | Trefoil | stock}, by what they are figures of, and those in
 * milliseconds and microseconds outside of tables.
 */
final class Figures {
    private static final Pattern HEAD = Pattern.compile("\\| figure \\| Trefoil \\| stock.*");
    private static final Pattern FIGURE = Pattern.compile("(?<![\\d.,])\\d[\\d.]* (?:ms|µs)\\b");
    private static final Pattern NUMBER = Pattern.compile("\\d+");
    private static final Pattern PROPERTY = Pattern.compile("<name>([^<]+)</name>\\s*<value>([^<]+)</value>");

    private final Map<String, String> texts;
    /** By page and by what they are figures of. */
    private final Map<String, Map<String, Row>> rows = new TreeMap<>();

    private record Row(String trefoilValue, String stock, String ratio) {
        String bothFigures() {
            return trefoilValue + " beside " + stock;
        }
    }

    private Figures(Map<String, String> texts) {
        this.texts = texts;
        texts.forEach((page, text) -> rows.put(page, rows(text)));
    }

    /** @param texts by the names of their pages */
    static Figures of(Map<String, String> texts) {
        return new Figures(texts);
    }

    private static Map<String, Row> rows(String text) {
        Map<String, Row> found = new TreeMap<>();
        boolean isInTable = false;
        for (String line : text.lines().toList()) {
            isInTable = line.startsWith("|") && (isInTable || HEAD.matcher(line).matches());
            List<String> cells =
                    Stream.of(line.split("\\|", -1)).map(String::trim).toList();
            if (isInTable && cells.size() > 4 && !HEAD.matcher(line).matches()) {
                found.putIfAbsent(
                        cells.get(1),
                        new Row(
                                withoutRemark(cells.get(2)),
                                withoutRemark(cells.get(3)),
                                cells.size() > 5 ? cells.get(4) : ""));
            }
        }
        return found;
    }

    /** A figure without the words after it, as in {@code 7003, of 7339 without protection}. */
    private static String withoutRemark(String cell) {
        return cell.replaceFirst(",.*", "");
    }

    /** What has one figure on one page and another on another. */
    List<String> differing() {
        Map<String, Map<String, String>> pagesByThing = new TreeMap<>();
        rows.forEach((page, things) -> things.forEach((thing, row) ->
                pagesByThing.computeIfAbsent(thing, unused -> new TreeMap<>()).put(page, row.bothFigures())));
        List<String> different = new ArrayList<>();
        pagesByThing.forEach((thing, pages) -> {
            if (new HashSet<>(pages.values()).size() > 1) {
                List<String> all = new ArrayList<>();
                pages.forEach((page, figures) -> all.add(figures + " on " + page));
                different.add(thing + ": " + String.join(", ", all));
            }
        });
        return different;
    }

    /** What has figures on a page and none on one that has more. */
    List<String> missingFrom(String more, String page) {
        return rows.get(page).keySet().stream()
                .filter(thing -> !rows.get(more).containsKey(thing))
                .toList();
    }

    /** Ratios that are not those of the two figures beside them. */
    List<String> incorrectRatios() {
        List<String> wrong = new ArrayList<>();
        for (Map<String, Row> things : rows.values()) {
            things.forEach((thing, row) -> {
                if (row.ratio().matches("[\\d.]+")) {
                    String right = String.format(
                            Locale.ROOT, "%.2f", parseNumber(row.trefoilValue()) / parseNumber(row.stock()));
                    if (!right.equals(row.ratio())) {
                        wrong.add(thing + ": " + row.ratio() + ", and not " + right);
                    }
                }
            });
        }
        return wrong;
    }

    private static double parseNumber(String figure) {
        return Double.parseDouble(figure.replaceAll("[^\\d.]", ""));
    }

    /** Figures in a page's text that are in the tables of none. */
    List<String> withoutSource(String page) {
        Set<String> known = new HashSet<>();
        rows.values().forEach(things -> things.values()
                .forEach(row -> known.addAll(List.of(row.trefoilValue(), row.stock()))));
        return FIGURE.matcher(texts.get(page))
                .results()
                .map(result -> result.group())
                .filter(figure -> !known.contains(figure))
                .distinct()
                .toList();
    }

    /** Numbers in the text that a page has for a picture, and that are not in the picture's data. */
    static List<String> missingInPicture(String page, String picture, String data) {
        Set<String> shown = new HashSet<>();
        NUMBER.matcher(data).results().forEach(result -> shown.add(result.group()));
        return Pattern.compile("!\\[([^\\]]*)\\]\\([^)]*" + Pattern.quote(picture) + "\\)")
                .matcher(page)
                .results()
                .flatMap(text -> NUMBER.matcher(text.group(1)).results())
                .map(result -> result.group())
                .filter(number -> !shown.contains(number))
                .toList();
    }

    /** Each property of a configuration, as name and value. */
    static List<String> properties(String text) {
        return PROPERTY.matcher(text)
                .results()
                .map(result -> result.group(1) + "=" + result.group(2))
                .toList();
    }
}
