/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.pictures;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.knowm.xchart.XYChart;

/** A picture of charts, one below the other, over a common axis. */
public final class Panels implements Picture {
    private final String title;
    private final String axis;
    private final double min;
    private final double max;
    private final List<Panel> panels;
    private final List<Mark> marks;

    /**
     * @param axis the label below all charts, with its unit
     * @param min the left end of that axis
     */
    public Panels(String title, String axis, double min, double max) {
        this(title, axis, min, max, new ArrayList<>(), new ArrayList<>());
    }

    @JsonCreator
    private Panels(
            @JsonProperty("title") String title,
            @JsonProperty("axis") String axis,
            @JsonProperty("least") double min,
            @JsonProperty("most") double max,
            @JsonProperty("panels") List<Panel> panels,
            @JsonProperty("marks") List<Mark> marks) {
        this.title = title;
        this.axis = axis;
        this.min = min;
        this.max = max;
        this.panels = panels;
        this.marks = marks;
    }

    /** Places on the common axis. */
    record Mark(String name, List<Double> places, Color colour) {}

    /** Adds a chart below the others; its vertical axis begins at 0. */
    public Panel add(String name) {
        Panel panel = new Panel(name);
        panels.add(panel);
        return panel;
    }

    /** Marks places on the common axis with lines through all charts, named in their legends. */
    public void addMark(String name, List<Double> places, Color colour) {
        marks.add(new Mark(name, List.copyOf(places), colour));
    }

    @Override
    public void writeSvg(Path file) throws IOException {
        List<XYChart> charts = new ArrayList<>();
        for (Panel panel : panels) {
            PanelChart chart =
                    new PanelChart(charts.isEmpty() ? title + ": " + panel.name : panel.name, axis, min, max);
            if (panel.logarithmic) {
                chart.setLogarithmicFrom(panel.lowestDecade());
            }
            List<String> named = new ArrayList<>(panel.lines.keySet());
            named.addAll(panel.curves.keySet());
            if (!named.isEmpty()) {
                chart.setColours(named);
            }
            if (panel.lines.size() == 1 && panel.curves.isEmpty()) {
                panel.lines.values().forEach(chart::addOnlyLine);
            } else {
                panel.lines.forEach(chart::addLine);
            }
            panel.curves.forEach(chart::addPointCurve);
            if (!panel.bands.isEmpty()) {
                chart.addBands(panel.bands);
            }
            marks.forEach(chart::addMark);
            charts.add(chart.chart());
        }
        SvgColumn.write(charts, file);
    }

    /** One of the charts. */
    public static final class Panel {
        private final String name;
        private final Map<String, List<double[]>> lines;
        private final Map<String, List<double[]>> curves;
        private final Map<String, List<BandSegment>> bands;
        private boolean logarithmic;

        private Panel(String name) {
            this(name, new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>(), false);
        }

        @JsonCreator
        private Panel(
                @JsonProperty("name") String name,
                @JsonProperty("lines") Map<String, List<double[]>> lines,
                @JsonProperty("curves") Map<String, List<double[]>> curves,
                @JsonProperty("bands") Map<String, List<BandSegment>> bands,
                @JsonProperty("logarithmic") boolean logarithmic) {
            this.name = name;
            this.lines = lines;
            this.curves = curves;
            this.bands = bands;
            this.logarithmic = logarithmic;
        }

        /** Makes the vertical axis logarithmic, from the decade of the lowest point; all points must be above 0. */
        public Panel withLogarithmicAxis() {
            logarithmic = true;
            return this;
        }

        private double lowestDecade() {
            double lowest = Stream.of(lines, curves)
                    .flatMap(each -> each.values().stream())
                    .flatMap(List::stream)
                    .mapToDouble(point -> point[1])
                    .min()
                    .orElse(1);
            return Math.pow(10, Math.floor(Math.log10(lowest)));
        }

        /** Adds the only curve. */
        public void addCurve(List<double[]> points) {
            addLine("measured", points);
        }

        /** Adds one of several curves of many points. */
        public void addLine(String lineName, List<double[]> points) {
            lines.put(lineName, List.copyOf(points));
        }

        /** Adds one of several curves, with a mark on each of its few points. */
        public void addCurve(String curveName, List<double[]> points) {
            curves.put(curveName, List.copyOf(points));
        }

        /** Adds a band for each name, from the top down; stretches are in the order of time. */
        public void addBands(Map<String, List<BandSegment>> newBands) {
            bands.putAll(newBands);
        }
    }
}
