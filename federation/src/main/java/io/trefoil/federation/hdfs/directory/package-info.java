/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The directories of one nameservice apart from their content: access rights, parents, and the marks that redirect clients. Calls are made
 * by the thread that asks.
 */
package io.trefoil.federation.hdfs.directory;
