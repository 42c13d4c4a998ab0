/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The settings of checkpoints, and what Hadoop's configuration says of the NameNodes of the federation and of the one on this
 * host. Read by the plugin when the NameNode starts, and by the command; on any thread.
 */
package io.trefoil.checkpoint.hdfs.config;
