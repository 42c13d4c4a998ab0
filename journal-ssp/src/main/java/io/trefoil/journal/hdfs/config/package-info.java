/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * What the journal reads from Hadoop's configuration: its keys, its {@code ssp://} URIs, and which address is this
 * host's. Read once, at the start of a process.
 */
package io.trefoil.journal.hdfs.config;
