/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The metrics of a NameNode as a member of its group, as a source of Hadoop's metrics ({@code
 * docs/operating/metrics.md}). Read on the threads of the metrics system, which never wait here.
 */
package io.trefoil.ha.hdfs.metrics;
