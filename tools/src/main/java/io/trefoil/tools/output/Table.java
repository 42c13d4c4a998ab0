/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows of text under headings, in columns as wide as needed; numbers are right-aligned. */
public final class Table {

    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... headings) {
        rows.add(Arrays.asList(headings));
    }

    public Table row(String... cells) {
        if (cells.length != rows.get(0).size()) {
            throw new IllegalArgumentException(cells.length + " cells under " + rows.get(0));
        }
        rows.add(Arrays.asList(cells));
        return this;
    }

    /** The lines, each with its end. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                line.append(column == 0 ? "" : GAP).append(padCell(row.get(column), column));
            }
            text.append(line.toString().replaceAll("\\s+$", "")).append('\n');
        }
        return text.toString();
    }

    private String padCell(String cell, int column) {
        StringBuilder spaces = new StringBuilder();
        for (int i = cell.length(); i < width(column); i++) {
            spaces.append(' ');
        }
        return isNumeric(column) ? spaces + cell : cell + spaces;
    }

    private int width(int column) {
        int width = 0;
        for (List<String> row : rows) {
            width = Math.max(width, row.get(column).length());
        }
        return width;
    }

    private boolean isNumeric(int column) {
        return rows.size() > 1
                && rows.stream().skip(1).allMatch(row -> row.get(column).matches("[0-9]+|-"));
    }
}
