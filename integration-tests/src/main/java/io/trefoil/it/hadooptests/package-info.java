/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Runs Hadoop's own tests of high availability, unmodified, with their shared edits in an {@code ssp://} journal. */
package io.trefoil.it.hadooptests;
