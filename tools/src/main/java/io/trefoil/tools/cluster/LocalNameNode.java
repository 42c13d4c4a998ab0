/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import com.google.auto.value.AutoValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The NameNode of this host according to the configuration; it need not be running. Immutable. */
@AutoValue
public abstract class LocalNameNode {

    public static LocalNameNode of(String name, JournalLocation journal, List<Path> nameDirectories) {
        return new AutoValue_LocalNameNode(
                name, journal, Collections.unmodifiableList(new ArrayList<>(nameDirectories)));
    }

    /** The NameNode's id in the configuration. */
    public abstract String name();

    public abstract JournalLocation journal();

    /** The name directories, in the order of the configuration; at least one. */
    public abstract List<Path> nameDirectories();
}
