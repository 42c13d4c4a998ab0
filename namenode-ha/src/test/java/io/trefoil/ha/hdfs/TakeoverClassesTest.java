/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The list may grow old, but not useless. */
class TakeoverClassesTest {

    @Test
    void mostListedClassesExist() {
        assertThat(TakeoverClasses.names()).hasSizeGreaterThan(500);
        assertThat(TakeoverClasses.names().stream()
                        .filter(name -> !TakeoverClasses.isLoadedAndLinked(name))
                        .count())
                .isLessThan(20);
    }

    /** Classes of HDFS may be missing in another release; a name of ours that is missing was forgotten in a rename. */
    @Test
    void allOwnListedClassesExist() {
        assertThat(TakeoverClasses.names())
                .filteredOn(name -> name.startsWith("io.trefoil."))
                .allMatch(TakeoverClasses::isLoadedAndLinked);
    }

    @Test
    void missingClassIsSkipped() {
        assertThat(TakeoverClasses.isLoadedAndLinked("org.apache.hadoop.NoSuchClass"))
                .isFalse();
    }
}
