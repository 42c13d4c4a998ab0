/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.pictures;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A picture of charts, one below the other, over a common axis. Drawn by {@code java.awt}; needs no screen. */
public final class Panels {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 240;
    /** The same for all charts, so that their axes line up. */
    private static final int LABELS_WIDTH = 70;

    private static final float BAND_WIDTH = 14;
    /** The place of a band's name, above the middle of the band; bands are 1 apart. */
    private static final double ABOVE = 0.35;

    private static final double NAMES_FROM_LEFT = 0.03;
    private static final int MARK_WIDTH = 1;

    private final String title;
    private final String axis;
    private final double least;
    private final double most;
    private final List<Panel> panels = new ArrayList<>();

    /**
     * @param axis the label below all charts, with its unit
     * @param least the left end of that axis
     */
    public Panels(String title, String axis, double least, double most) {
        this.title = title;
        this.axis = axis;
        this.least = least;
        this.most = most;
    }

    /** Adds a chart below the others; its vertical axis begins at 0. */
    public Panel add(String name) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(panels.isEmpty() ? title + ": " + name : name)
                .xAxisTitle(axis)
                .build();
        chart.getStyler()
                .setXAxisMin(least)
                .setXAxisMax(most)
                .setYAxisLeftWidthHint(LABELS_WIDTH)
                .setChartBackgroundColor(Color.WHITE)
                .setLegendPosition(LegendPosition.OutsideS)
                .setLegendLayout(LegendLayout.Horizontal)
                .setLegendVisible(false);
        Panel panel = new Panel(chart, least + NAMES_FROM_LEFT * (most - least));
        panels.add(panel);
        return panel;
    }

    /** Marks places on the common axis with lines through all charts added so far, named in their legends. */
    public void mark(String name, List<Double> places, Color colour) {
        for (Panel panel : panels) {
            List<double[]> lines = new ArrayList<>();
            for (double at : places) {
                lines.add(new double[] {at, panel.bottom});
                lines.add(new double[] {at, panel.top});
                lines.add(new double[] {at, Double.NaN});
            }
            if (!lines.isEmpty()) {
                panel.chart.getStyler().setLegendVisible(true);
                panel.draw(name, lines, SeriesMarkers.NONE)
                        .setLineColor(colour)
                        .setLineStyle(new BasicStroke(MARK_WIDTH));
            }
        }
    }

    public void writeSvg(Path file) throws IOException {
        VectorGraphics2D graphics = new VectorGraphics2D();
        for (Panel panel : panels) {
            panel.chart.paint(graphics, WIDTH, HEIGHT);
            graphics.translate(0, HEIGHT);
        }
        PageSize size = new PageSize(0, 0, WIDTH, (double) HEIGHT * panels.size());
        try (OutputStream out = Files.newOutputStream(file)) {
            new SVGProcessor().getDocument(graphics.getCommands(), size).writeTo(out);
        }
    }

    /** One of the charts. */
    public static final class Panel {
        private final XYChart chart;
        private final double namesAt;
        private double bottom;
        private double top;

        private Panel(XYChart chart, double namesAt) {
            this.chart = chart;
            this.namesAt = namesAt;
        }

        /** Adds the only curve. */
        public void curve(List<double[]> points) {
            addCurve("measured", points, SeriesMarkers.NONE).setLineColor(Color.BLACK);
        }

        /** Adds one of several curves, with a mark on each of its few points. */
        public void curve(String name, List<double[]> points) {
            chart.getStyler().setLegendVisible(true);
            addCurve(name, points, SeriesMarkers.CIRCLE);
        }

        private XYSeries addCurve(String name, List<double[]> points, Marker marker) {
            chart.getStyler().setYAxisMin(bottom);
            points.forEach(point -> top = Math.max(top, point[1]));
            return draw(name, points, marker);
        }

        private XYSeries draw(String name, List<double[]> points, Marker marker) {
            XYSeries series = chart.addSeries(
                    name,
                    points.stream().mapToDouble(point -> point[0]).toArray(),
                    points.stream().mapToDouble(point -> point[1]).toArray());
            series.setMarker(marker);
            return series;
        }

        /** Adds a band for each name, from the top down; stretches are in the order of time. */
        public void bands(Map<String, List<Stretch>> bands) {
            List<String> names = List.copyOf(bands.keySet());
            Map<String, List<double[]>> lines = new TreeMap<>();
            Map<String, Color> colours = new TreeMap<>();
            for (int i = 0; i < names.size(); i++) {
                for (Stretch stretch : bands.get(names.get(i))) {
                    List<double[]> line = lines.computeIfAbsent(stretch.name(), unused -> new ArrayList<>());
                    line.add(new double[] {stretch.from(), -i});
                    line.add(new double[] {stretch.to(), -i});
                    // Ends the line, so that it does not continue to the next stretch.
                    line.add(new double[] {stretch.to(), Double.NaN});
                    colours.put(stretch.name(), stretch.colour());
                }
            }
            lines.forEach((name, line) -> draw(name, line, SeriesMarkers.NONE)
                    .setLineColor(colours.get(name))
                    .setLineStyle(new BasicStroke(BAND_WIDTH, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER)));
            bottom = 0.5 - names.size();
            top = 0.5;
            chart.getStyler().setYAxisMin(bottom).setYAxisMax(top).setLegendVisible(true);
            chart.setCustomYAxisTickLabelsFormatter(value -> "");
            for (int i = 0; i < names.size(); i++) {
                chart.addAnnotation(new AnnotationText(names.get(i), namesAt, ABOVE - i, false));
            }
        }
    }
}
