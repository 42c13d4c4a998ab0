/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.pictures;

import java.awt.Color;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The colours of contenders: ours and the stock one have the same ones in all pictures, and the others get the rest. */
final class SeriesColors {
    private static final Color OURS = new Color(0x2a7f3f);
    private static final Color STOCK = new Color(0x9aa5b1);
    private static final List<Color> OTHERS = List.of(
            new Color(0xe8b04b),
            new Color(0x5d6dbe),
            new Color(0xc0392b),
            new Color(0x7fb3d5),
            new Color(0x6b4c9a),
            new Color(0x52606d));

    private static final Set<String> NAMES_OF_OURS = Set.of("trefoil", "ssp", "mams", "ours", "near reads");
    private static final Set<String> NAMES_OF_STOCK = Set.of("qjm", "zkfc", "stock");

    private SeriesColors() {}

    /** Returns a colour for each name, in order; if none of them is ours or the stock one, the first two get those colours. */
    static Color[] colorsFor(Collection<String> contenders) {
        List<String> names = List.copyOf(contenders);
        List<Color> left = new ArrayList<>();
        if (names.stream().noneMatch(NAMES_OF_OURS::contains)) {
            left.add(OURS);
        }
        if (names.stream().noneMatch(NAMES_OF_STOCK::contains)) {
            left.add(STOCK);
        }
        left.addAll(OTHERS);
        Color[] colours = new Color[names.size()];
        int next = 0;
        for (int i = 0; i < colours.length; i++) {
            if (NAMES_OF_OURS.contains(names.get(i))) {
                colours[i] = OURS;
            } else if (NAMES_OF_STOCK.contains(names.get(i))) {
                colours[i] = STOCK;
            } else {
                colours[i] = left.get(next++ % left.size());
            }
        }
        return colours;
    }
}
