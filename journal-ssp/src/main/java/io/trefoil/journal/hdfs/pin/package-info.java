/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Pins: transactions that the journal must not purge yet. {@code hdfs trefoil journal pin} and juniors that renew
 * (paper §4.2.3) order them at the active NameNode.
 */
package io.trefoil.journal.hdfs.pin;
