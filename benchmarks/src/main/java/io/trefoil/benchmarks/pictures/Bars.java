/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.pictures;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/** A picture of medians as bars with their numbers, with charts for each unit one below the other, and a colour for each contender. */
public final class Bars implements Picture {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 300;
    private static final int LABELS_WIDTH = 70;

    private static final double SPACE_FILLED = 0.8;
    /** The space above the highest bar, so that its number fits. */
    private static final double ROOM_ABOVE = 1.15;
    /** The distance of the middle of a number from the top of its bar, as a fraction of the highest bar. */
    private static final double NUMBER_OFFSET = 0.06;

    private static final double FEW = 10;

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
     * @param path below the bar
     */
    public void add(String chart, String contender, String path, double value) {
        charts.computeIfAbsent(chart, unused -> new LinkedHashMap<>())
                .computeIfAbsent(contender, unused -> new LinkedHashMap<>())
                .put(path, value);
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
        List<String> shown = contenders.stream().filter(bars::containsKey).toList();
        String pattern = most < FEW ? "#,##0.00" : "#,##0";
        chart.getStyler()
                .setAvailableSpaceFill(SPACE_FILLED)
                .setPlotGridVerticalLinesVisible(false)
                .setYAxisMin(0.0)
                .setYAxisMax(ROOM_ABOVE * most)
                .setYAxisDecimalPattern(pattern)
                .setYAxisLeftWidthHint(LABELS_WIDTH)
                .setSeriesColors(SeriesColors.colorsFor(shown))
                .setChartBackgroundColor(Color.WHITE)
                .setLegendPosition(LegendPosition.OutsideS)
                .setLegendLayout(LegendLayout.Horizontal);
        for (String contender : shown) {
            List<Double> values = new ArrayList<>();
            // A place without a figure stays empty.
            places.forEach(place -> values.add(bars.get(contender).get(place)));
            chart.addSeries(contender, new ArrayList<>(places), values);
        }
        DecimalFormat number = new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(Locale.ROOT));
        for (int index = 0; index < places.size(); index++) {
            for (int contender = 0; contender < shown.size(); contender++) {
                Double value =
                        bars.get(shown.get(contender)).get(List.copyOf(places).get(index));
                if (value != null) {
                    // XChart's own labels are inside the bars, so those of low bars cannot be read.
                    double middle = index + 0.5 + SPACE_FILLED * ((contender + 0.5) / shown.size() - 0.5);
                    chart.addAnnotation(
                            new AnnotationText(number.format(value), middle, value + NUMBER_OFFSET * most, false));
                }
            }
        }
        return chart;
    }
}
