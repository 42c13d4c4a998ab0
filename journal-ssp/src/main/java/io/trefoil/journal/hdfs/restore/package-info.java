/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Restores a journal to a barrier and begins a new timeline there (paper §4.3;
 * {@code docs/design/global-checkpoint.md}). Runs on the thread of the command that restores; the check that keeps
 * images of a void timeline out of a NameNode runs on the threads of its web server.
 */
package io.trefoil.journal.hdfs.restore;
