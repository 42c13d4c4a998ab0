/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The facts about this host that are known without asking another one. */
public interface HostFacts {

    /** All settings in a file of this host's configuration, by name; they include secrets. */
    Map<String, String> settings();

    /** Whether Hadoop hides the value of a setting on its web pages. */
    boolean isSensitive(String name);

    /** The directories in which servers write their logs; they need not exist. */
    List<Path> logDirectories();

    /** The directories in which HDFS and Trefoil keep data here; they need not exist. */
    List<Path> storageDirectories();

    /** The releases of the software running here, by name. */
    Map<String, String> versions();
}
