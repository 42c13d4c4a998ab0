/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Restores a journal to a barrier and begins a new line of transactions there (paper §4.3;
 * {@code docs/design/global-checkpoint.md}). On the thread of the command that restores; what keeps images of a void line out of
 * a NameNode is on those of its web server.
 */
package io.trefoil.journal.hdfs.restore;
