/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Settings in Hadoop's configuration, one place for name, type, default, bounds and meaning of each:
 * {@link io.trefoil.foundation.hdfs.ConfigKey}.
 */
package io.trefoil.foundation.hdfs;
