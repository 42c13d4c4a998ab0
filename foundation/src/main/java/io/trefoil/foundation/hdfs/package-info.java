/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Settings in Hadoop's configuration. {@link io.trefoil.foundation.hdfs.ConfigKey} holds name, type, default, bounds and
 * meaning of each in one place.
 */
package io.trefoil.foundation.hdfs;
