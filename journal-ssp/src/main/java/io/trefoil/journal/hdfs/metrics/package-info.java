/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * This process's part of the pool as sources of Hadoop's metrics ({@code docs/operating/metrics.md}); read on the
 * threads of the metrics system, which never wait for a disk here.
 */
package io.trefoil.journal.hdfs.metrics;
