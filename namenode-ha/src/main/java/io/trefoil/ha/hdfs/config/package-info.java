/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The settings of the agent, and what Hadoop's configuration makes of them. Read once, when the NameNode starts.
 */
package io.trefoil.ha.hdfs.config;
