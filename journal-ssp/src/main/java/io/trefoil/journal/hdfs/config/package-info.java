/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The settings that the journal reads from Hadoop's configuration, once, when a process starts: its keys, its
 * {@code ssp://} URIs, and which address is this host's.
 */
package io.trefoil.journal.hdfs.config;
