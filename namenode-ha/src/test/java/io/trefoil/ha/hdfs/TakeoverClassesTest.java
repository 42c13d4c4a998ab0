/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The list may grow old, but not useless. */
class TakeoverClassesTest {

    @Test
    void mostListedClassesExist() {
        assertThat(TakeoverClassPreloader.names()).hasSizeGreaterThan(500);
        assertThat(TakeoverClassPreloader.names().stream()
                        .filter(name -> !TakeoverClassPreloader.isLoadedAndLinked(name))
                        .count())
                .isLessThan(20);
    }

    /** Classes of HDFS may be missing in another release; a name of ours that is missing was forgotten in a rename. */
    @Test
    void allOwnListedClassesExist() {
        assertThat(TakeoverClassPreloader.names())
                .filteredOn(name -> name.startsWith("io.trefoil."))
                .allMatch(TakeoverClassPreloader::isLoadedAndLinked);
    }

    @Test
    void missingClassIsSkipped() {
        assertThat(TakeoverClassPreloader.isLoadedAndLinked("org.apache.hadoop.NoSuchClass"))
                .isFalse();
    }
}
