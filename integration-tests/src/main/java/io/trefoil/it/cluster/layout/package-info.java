/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * What a cluster consists of, decided before its first process runs: where its servers listen and keep their files,
 * which journal carries the edits, who decides on failover, and the settings of every process.
 */
package io.trefoil.it.cluster.layout;
