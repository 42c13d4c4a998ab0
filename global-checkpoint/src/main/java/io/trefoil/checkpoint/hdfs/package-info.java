/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Checkpoints in NameNodes: the plugin, its port, and what it does to the namesystem. The only package that uses
 * Hadoop.
 */
package io.trefoil.checkpoint.hdfs;
