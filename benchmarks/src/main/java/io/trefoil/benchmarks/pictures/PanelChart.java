/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.pictures;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.ArrayList;
import java.util.Collection;
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

/** Draws one of the {@link Panels}. */
final class PanelChart {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 240;
    /** The width of the labels of all charts, so that their axes line up. */
    private static final int LABELS_WIDTH = 70;

    private static final float BAND_WIDTH = 14;
    /** The place of a band's name, above the middle of the band; bands are 1 apart. */
    private static final double NAME_OFFSET = 0.35;

    private static final double NAMES_FROM_LEFT = 0.03;
    private static final int LINE_WIDTH = 1;
    private static final String NUMBER = "#,##0.###";
    /** The margin above the highest point, so that it fits. */
    private static final double ROOM_ABOVE = 1.05;

    private final XYChart chart;
    private final double namesAt;
    private double bottom;
    private double top;

    PanelChart(String title, String axis, double min, double max) {
        namesAt = min + NAMES_FROM_LEFT * (max - min);
        chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(axis)
                .build();
        chart.getStyler()
                .setXAxisMin(min)
                .setXAxisMax(max)
                .setXAxisDecimalPattern(NUMBER)
                .setYAxisDecimalPattern(NUMBER)
                .setYAxisLeftWidthHint(LABELS_WIDTH)
                .setChartBackgroundColor(Color.WHITE)
                .setLegendPosition(LegendPosition.OutsideS)
                .setLegendLayout(LegendLayout.Horizontal)
                .setLegendVisible(false);
    }

    /** Gives added curves and lines the colours of their names. */
    void setColours(Collection<String> names) {
        chart.getStyler().setSeriesColors(SeriesColors.colorsFor(names));
    }

    /** Makes the vertical axis logarithmic; to be called before anything is drawn. */
    void setLogarithmicFrom(double decade) {
        bottom = decade;
        chart.getStyler().setYAxisLogarithmic(true);
    }

    XYChart chart() {
        return chart;
    }

    void addOnlyLine(List<double[]> points) {
        addCurve("measured", points, SeriesMarkers.NONE).setLineColor(Color.BLACK);
    }

    void addLine(String name, List<double[]> points) {
        chart.getStyler().setLegendVisible(true);
        addCurve(name, points, SeriesMarkers.NONE).setLineStyle(new BasicStroke(LINE_WIDTH));
    }

    void addPointCurve(String name, List<double[]> points) {
        chart.getStyler().setLegendVisible(true);
        addCurve(name, points, SeriesMarkers.CIRCLE);
    }

    private XYSeries addCurve(String name, List<double[]> points, Marker marker) {
        chart.getStyler().setYAxisMin(bottom);
        points.forEach(point -> top = Math.max(top, point[1]));
        chart.getStyler().setYAxisMax(top > bottom ? ROOM_ABOVE * top : bottom + 1);
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

    void addBands(Map<String, List<BandSegment>> bands) {
        List<String> names = List.copyOf(bands.keySet());
        Map<String, List<double[]>> lines = new TreeMap<>();
        Map<String, Color> colours = new TreeMap<>();
        for (int i = 0; i < names.size(); i++) {
            for (BandSegment stretch : bands.get(names.get(i))) {
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
            chart.addAnnotation(new AnnotationText(names.get(i), namesAt, NAME_OFFSET - i, false));
        }
    }

    /** Adds lines at places; to be called after everything else is drawn, as they are as high as that. */
    void addMark(Panels.Mark mark) {
        List<double[]> lines = new ArrayList<>();
        for (double at : mark.places()) {
            lines.add(new double[] {at, bottom});
            lines.add(new double[] {at, top});
            lines.add(new double[] {at, Double.NaN});
        }
        if (!lines.isEmpty()) {
            chart.getStyler().setLegendVisible(true);
            draw(mark.name(), lines, SeriesMarkers.NONE)
                    .setLineColor(mark.colour())
                    .setLineStyle(new BasicStroke(LINE_WIDTH));
        }
    }
}
