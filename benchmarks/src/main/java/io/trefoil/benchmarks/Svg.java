/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import java.util.List;
import java.util.Locale;

/**
 * A picture with a title and panels one below the other, each with a frame, a name and curves over a common axis, and
 * coloured bands below them over the same axis, as SVG.
 */
public final class Svg {
    private static final int WIDTH = 900;
    private static final int LEFT = 80;
    private static final int RIGHT = 20;
    private static final int TOP = 50;
    private static final int PANEL = 150;
    private static final int BAND = 18;
    private static final int BETWEEN_PANELS = 36;
    private static final int BETWEEN_BANDS = 8;

    private final StringBuilder text = new StringBuilder();
    private final int panels;
    private final int bands;
    private final double least;
    private final double most;

    /** @param least the left end of the axis that all panels and bands have in common */
    public Svg(String title, int panels, int bands, double least, double most) {
        this.panels = panels;
        this.bands = bands;
        this.least = least;
        this.most = most;
        int height = bottom() + BETWEEN_PANELS + 20;
        add("<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d'", WIDTH, height);
        text.append(" font-family='sans-serif' font-size='12'>\n");
        add("<rect width='%d' height='%d' fill='white'/>%n", WIDTH, height);
        add("<text x='%d' y='20' font-size='15'>%s</text>%n", LEFT, title);
    }

    private int bottom() {
        return topOfBand(bands) - BETWEEN_BANDS;
    }

    private int topOfBand(int band) {
        return TOP + panels * (PANEL + BETWEEN_PANELS) - BETWEEN_PANELS + BETWEEN_BANDS + band * (BAND + BETWEEN_BANDS);
    }

    private double x(double value) {
        return LEFT + (value - least) / Math.max(most - least, 1e-9) * (WIDTH - LEFT - RIGHT);
    }

    private static int top(int panel) {
        return TOP + panel * (PANEL + BETWEEN_PANELS);
    }

    /** The frame of a panel, and the upper end of its axis, which begins at 0. */
    public Svg panel(int number, String name, double upperEnd) {
        int top = top(number);
        add("<text x='%d' y='%d'>%s</text>%n", LEFT, top - 6, name);
        add(
                "<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='#d9d9d9'/>%n",
                LEFT, top, WIDTH - LEFT - RIGHT, PANEL);
        add("<text x='%d' y='%d' text-anchor='end'>%.4g</text>%n", LEFT - 6, top + 10, upperEnd);
        add("<text x='%d' y='%d' text-anchor='end'>0</text>%n", LEFT - 6, top + PANEL);
        return this;
    }

    /** A curve through points of two numbers each; those outside of the common axis are left out. */
    public Svg curve(int panel, List<double[]> points, double upperEnd, String colour) {
        StringBuilder line = new StringBuilder();
        for (double[] point : points) {
            if (point[0] >= least && point[0] <= most) {
                double y = top(panel) + PANEL * (1 - point[1] / Math.max(upperEnd, 1e-9));
                line.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(point[0]), y));
            }
        }
        add("<polyline points='%s' fill='none' stroke='%s'/>%n", line.toString().trim(), colour);
        return this;
    }

    /** A mark on the points of a curve, for one of few. */
    public Svg dots(int panel, List<double[]> points, double upperEnd, String colour) {
        for (double[] point : points) {
            double y = top(panel) + PANEL * (1 - point[1] / Math.max(upperEnd, 1e-9));
            add("<circle cx='%.1f' cy='%.1f' r='3' fill='%s'/>%n", x(point[0]), y, colour);
        }
        return this;
    }

    /** The name of a band. */
    public Svg band(int number, String name) {
        int y = topOfBand(number) + BAND - 5;
        add("<text x='%d' y='%d' text-anchor='end'>%s</text>%n", LEFT - 6, y, name);
        return this;
    }

    /** A part of a band. */
    public Svg stretch(int band, double from, double to, String colour) {
        add(
                "<rect x='%.1f' y='%d' width='%.1f' height='%d' fill='%s'/>%n",
                x(from), topOfBand(band), x(to) - x(from), BAND, colour);
        return this;
    }

    /** A line through all panels and bands. */
    public Svg mark(double value, String colour) {
        add(
                "<line x1='%.1f' y1='%d' x2='%.1f' y2='%d' stroke='%s' stroke-dasharray='4 3'/>%n",
                x(value), TOP, x(value), bottom(), colour);
        return this;
    }

    /** A word below the common axis. */
    public Svg tick(double value, String word) {
        add("<text x='%.1f' y='%d' text-anchor='middle'>%s</text>%n", x(value), bottom() + 16, word);
        return this;
    }

    /** The last line, and the whole. */
    public String end(String legend) {
        add("<text x='%d' y='%d'>%s</text>%n", LEFT, bottom() + BETWEEN_PANELS, legend);
        return text.append("</svg>\n").toString();
    }

    private void add(String format, Object... arguments) {
        text.append(String.format(Locale.ROOT, format, arguments));
    }
}
