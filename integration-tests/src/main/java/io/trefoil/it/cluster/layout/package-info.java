/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The layout of a cluster, decided before its first process runs: its servers' addresses and files, its journal, its kind of failover, and
 * the settings of every process.
 */
package io.trefoil.it.cluster.layout;
