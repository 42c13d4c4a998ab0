/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.process.Steps;
import java.io.DataInputStream;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What runs inside the servers and clients of a test must run on the oldest Java that they are tested with. */
class OldestJavaTest {
    private static final int JAVA_8 = 52;

    @ParameterizedTest
    @ValueSource(classes = {ExitWithParent.class, DriftingClock.class, Steps.class})
    void classIsCompiledForJava8(Class<?> inServers) throws IOException {
        String file = inServers.getSimpleName() + ".class";
        try (DataInputStream in = new DataInputStream(inServers.getResourceAsStream(file))) {
            in.readInt();
            assertThat(in.readInt()).as("version of the class file").isEqualTo(JAVA_8);
        }
    }
}
