/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Metrics of this process's part of the pool, as sources of Hadoop's metrics ({@code docs/operating/metrics.md}). The
 * metrics system reads them on its own threads, which never wait for a disk here.
 */
package io.trefoil.journal.hdfs.metrics;
