/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import io.trefoil.foundation.linkage.MissingMember;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;

/**
 * A part of an installation that another feature provides, found by {@code ServiceLoader}.
 *
 * @param <T> what commands know it as
 */
public interface InstallationPlugin<T> {

    Class<T> portClass();

    T create(Configuration conf);

    /** The classes and members used by the feature that this host's Hadoop lacks, sorted by name; empty if it has all of them. */
    default SortedSet<MissingMember> missingHadoopMembers() {
        return new TreeSet<>();
    }
}
