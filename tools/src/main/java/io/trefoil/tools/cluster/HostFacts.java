/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Facts about this host that are known without asking another one. */
public interface HostFacts {

    /** All settings that a file of this host's configuration makes, by name; secrets are among them. */
    Map<String, String> settings();

    /** Whether Hadoop hides the value of a setting from its web pages. */
    boolean isSensitive(String name);

    /** The folders in which servers write their logs; they need not exist. */
    List<Path> logFolders();

    /** The folders in which HDFS and Trefoil keep data here; they need not exist. */
    List<Path> storageFolders();

    /** The releases of the software that runs here, by name. */
    Map<String, String> versions();
}
