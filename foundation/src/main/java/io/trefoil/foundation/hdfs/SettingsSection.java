/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * The settings that one jar declares. Each jar names its own in {@code META-INF/services}, so that the first of our
 * classes that Hadoop loads knows the settings of all jars on the class path.
 */
public interface SettingsSection {

    /** The word after {@code trefoil.} with which all names of the section begin. */
    String section();

    /** All settings of the section, in the order of the reference page; some may be Hadoop's, listed next to ours. */
    List<ConfigKey<?>> keys();

    /** The names of former settings, each with its replacement, as the end of a sentence that begins with the name. */
    default Map<String, String> removedSettings() {
        return Collections.emptyMap();
    }
}
