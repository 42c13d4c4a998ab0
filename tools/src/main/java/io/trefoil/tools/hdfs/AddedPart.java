/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import org.apache.hadoop.conf.Configuration;

/**
 * A part of an installation that another feature brings: {@code ServiceLoader} finds it.
 *
 * @param <T> what commands know it as
 */
public interface AddedPart<T> {

    Class<T> port();

    T of(Configuration conf);
}
