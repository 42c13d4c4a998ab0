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
                        .filter(name -> !TakeoverClasses.isThere(name))
                        .count())
                .isLessThan(20);
    }

    @Test
    void missingClassIsSkipped() {
        assertThat(TakeoverClasses.isThere("org.apache.hadoop.NoSuchClass")).isFalse();
    }
}
