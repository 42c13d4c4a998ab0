/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */

/**
 * Read-your-writes across the clients of a process: each client of a nameservice sees everything that another client of the same file
 * system has seen, even if reads are sent to observers. Runs in the threads of calls. Not part of the paper.
 */
package io.trefoil.client.hdfs.state;
