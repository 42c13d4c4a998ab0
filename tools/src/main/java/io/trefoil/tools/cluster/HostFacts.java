/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What this host can say of itself without asking anybody. */
public interface HostFacts {

    /** All settings that a file of this host's configuration makes, by name; secrets are among them. */
    Map<String, String> settings();

    /** Whether Hadoop hides the value of a setting from its web pages. */
    boolean isSensitive(String name);

    /** Where servers write their logs; those folders need not exist. */
    List<Path> logFolders();

    /** The folders in which HDFS and Trefoil keep data here; they need not exist. */
    List<Path> storageFolders();

    /** Which releases of what run here, by the name of each. */
    Map<String, String> versions();
}
