/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.pictures;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.io.IOException;
import java.nio.file.Path;

/** A picture of results. It is all data until it is drawn, so that {@link PictureFile} can keep it and draw it again. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Bars.class, name = "bars"),
    @JsonSubTypes.Type(value = Curves.class, name = "curves"),
    @JsonSubTypes.Type(value = Panels.class, name = "panels")
})
public interface Picture {
    /** Draws the picture; {@code java.awt} needs no screen for that. */
    void writeSvg(Path file) throws IOException;
}
