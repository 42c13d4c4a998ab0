/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.pictures;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A picture of how a figure depends on a varied parameter, a curve for each candidate, both axes logarithmic. */
public final class Curves implements Picture {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 560;
    private static final String NUMBER = "#,##0.###";

    private final String title;
    private final String variedParameter;
    private final String figure;
    private final Map<String, NavigableMap<Double, Double>> curves;

    /**
     * @param variedParameter the label of the horizontal axis, with its unit
     * @param figure the label of the vertical axis, with its unit
     */
    public Curves(String title, String variedParameter, String figure) {
        this(title, variedParameter, figure, new TreeMap<>());
    }

    @JsonCreator
    private Curves(
            @JsonProperty("title") String title,
            @JsonProperty("varied") String variedParameter,
            @JsonProperty("figure") String figure,
            @JsonProperty("curves") Map<String, NavigableMap<Double, Double>> curves) {
        this.title = title;
        this.variedParameter = variedParameter;
        this.figure = figure;
        this.curves = curves;
    }

    /** Adds a point with a value above zero; a logarithmic axis cannot show others. */
    public void add(String candidate, double time, double value) {
        if (value > 0) {
            curves.computeIfAbsent(candidate, unused -> new TreeMap<>()).put(time, value);
        }
    }

    /** Extends an axis to two decades, as only decades have numbers, and a single one gives no scale. */
    private double lowerDecade() {
        double least = curves.values().stream()
                .flatMap(curve -> curve.values().stream())
                .mapToDouble(Double::doubleValue)
                .min()
                .orElse(1);
        return Math.pow(10, Math.floor(Math.log10(least)));
    }

    @Override
    public void writeSvg(Path file) throws IOException {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(variedParameter)
                .yAxisTitle(figure)
                .build();
        chart.getStyler()
                .setXAxisLogarithmic(true)
                .setYAxisLogarithmic(true)
                .setXAxisDecimalPattern(NUMBER)
                .setYAxisDecimalPattern(NUMBER)
                .setYAxisMin(lowerDecade())
                .setSeriesColors(SeriesColors.colorsFor(curves.keySet()))
                .setChartBackgroundColor(Color.WHITE)
                .setLegendPosition(LegendPosition.OutsideE);
        curves.forEach((candidate, points) -> chart.addSeries(
                        candidate, List.copyOf(points.keySet()), List.copyOf(points.values()))
                .setMarker(SeriesMarkers.CIRCLE));
        SvgColumn.write(List.of(chart), file);
    }
}
