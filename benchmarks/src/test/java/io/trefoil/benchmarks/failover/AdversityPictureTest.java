/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdversityPictureTest {
    @TempDir
    private Path directory;

    @Test
    void picturePlacesPhasesOneAfterAnother() throws IOException {
        AdversityPicture picture = new AdversityPicture();
        picture.add(AdversityPhase.CALM, "smart", List.of(point(0.5), point(1.5)));
        picture.add(AdversityPhase.CALM, "zkfc", List.of(point(0.5), point(1.5), point(2.5)));
        picture.add(AdversityPhase.SITE, "smart", List.of(point(0.5)));
        Path file = directory.resolve("adversity.svg");

        picture.write(file);

        assertThat(file).content().contains("<svg");
        assertThat(directory.resolve("adversity.picture.json"))
                .content()
                .containsPattern("\\[ 3\\.5, 100\\.0 \\]")
                .containsPattern("\"places\" : \\[ 0\\.0, 3\\.0 \\]");
    }

    private static AdversityWindow.Point point(double seconds) {
        return new AdversityWindow.Point(seconds, 100, 5);
    }
}
