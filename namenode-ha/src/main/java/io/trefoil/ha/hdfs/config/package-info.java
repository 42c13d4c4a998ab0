/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The agent's settings, and how they are read from Hadoop's configuration. Read once, when the NameNode starts. */
package io.trefoil.ha.hdfs.config;
