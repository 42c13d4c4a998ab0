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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/** A picture of medians as bars with their numbers, a chart below the other for each unit, and a colour for each contender. */
public final class Bars implements Picture {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 300;
    private static final int LABELS_WIDTH = 70;

    private static final double SPACE_FILLED = 0.8;
    /** So that the number above the highest bar is inside. */
    private static final double ROOM_ABOVE = 1.15;
    /** At the top of the bar. */
    private static final double NUMBERS_AT = 1;

    private static final double FEW = 10;

    private static final Color[] COLOURS = {
        new Color(0x2a7f3f),
        new Color(0x9aa5b1),
        new Color(0xe8b04b),
        new Color(0x5d6dbe),
        new Color(0xc0392b),
        new Color(0x7fb3d5),
        new Color(0x6b4c9a),
        new Color(0x52606d)
    };

    private final String title;
    private final Map<String, Map<String, Map<String, Double>>> charts;

    public Bars(String title) {
        this(title, new LinkedHashMap<>());
    }

    @JsonCreator
    private Bars(
            @JsonProperty("title") String title,
            @JsonProperty("charts") Map<String, Map<String, Map<String, Double>>> charts) {
        this.title = title;
        this.charts = charts;
    }

    /**
     * Adds a bar, to the right of those of its chart and contender.
     *
     * @param chart what is measured, with its unit; bars of the same chart have the same scale
     * @param contender in the legend; all charts have the contenders of the first
     * @param place below the bar
     */
    public void add(String chart, String contender, String place, double value) {
        charts.computeIfAbsent(chart, unused -> new LinkedHashMap<>())
                .computeIfAbsent(contender, unused -> new LinkedHashMap<>())
                .put(place, value);
    }

    @Override
    public void writeSvg(Path file) throws IOException {
        List<Chart<?, ?>> drawn = new ArrayList<>();
        Set<String> contenders = new LinkedHashSet<>();
        charts.values().forEach(chart -> contenders.addAll(chart.keySet()));
        charts.forEach(
                (name, chart) -> drawn.add(draw(drawn.isEmpty() ? title + ": " + name : name, chart, contenders)));
        SvgColumn.write(drawn, file);
    }

    private static CategoryChart draw(String name, Map<String, Map<String, Double>> bars, Set<String> contenders) {
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(name)
                .build();
        Set<String> places = new LinkedHashSet<>();
        bars.values().forEach(each -> places.addAll(each.keySet()));
        double most = bars.values().stream()
                .flatMap(each -> each.values().stream())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(1);
        chart.getStyler()
                .setLabelsVisible(true)
                .setLabelsPosition(NUMBERS_AT)
                .setAvailableSpaceFill(SPACE_FILLED)
                .setPlotGridVerticalLinesVisible(false)
                .setYAxisMin(0.0)
                .setYAxisMax(ROOM_ABOVE * most)
                .setYAxisDecimalPattern(most < FEW ? "#,##0.00" : "#,##0")
                .setYAxisLeftWidthHint(LABELS_WIDTH)
                .setSeriesColors(COLOURS)
                .setChartBackgroundColor(Color.WHITE)
                .setLegendPosition(LegendPosition.OutsideS)
                .setLegendLayout(LegendLayout.Horizontal);
        for (String contender : contenders) {
            Map<String, Double> own = bars.getOrDefault(contender, Map.of());
            List<Double> values = new ArrayList<>();
            // A place without a figure stays empty.
            places.forEach(place -> values.add(own.get(place)));
            if (!own.isEmpty()) {
                chart.addSeries(contender, new ArrayList<>(places), values);
            }
        }
        return chart;
    }
}
