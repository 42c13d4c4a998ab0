/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class CallFailuresTest {

    @Test
    void serverErrorIsRethrownUnchanged() {
        IOException error = new FileNotFoundException("/a");

        assertThat(CallFailures.unwrap(new ExecutionException(error))).isSameAs(error);
    }

    @Test
    void bugIsNotServerError() {
        Exception bug = new NullPointerException("a");

        assertThatThrownBy(() -> CallFailures.unwrap(new ExecutionException(bug)))
                .isInstanceOf(IllegalStateException.class)
                .hasCause(bug);
    }
}
