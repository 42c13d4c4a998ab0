/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The settings of checkpoints, and what Hadoop's configuration says about the NameNodes of the federation and the one on this host. The
 * plugin reads them when the NameNode starts; the command reads them, too. Any thread.
 */
package io.trefoil.checkpoint.hdfs.config;
