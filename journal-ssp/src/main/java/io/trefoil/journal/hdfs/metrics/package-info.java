/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * What this process has of the pool as sources of Hadoop's metrics ({@code docs/operating/metrics.md}); asked on the
 * threads of the metrics system, which never wait for a disk here.
 */
package io.trefoil.journal.hdfs.metrics;
