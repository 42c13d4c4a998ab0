/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The parts of its machine that a cluster uses: an installation of Hadoop, directories, ports, links that can be cut, and disks that
 * fill, hang and die.
 */
package io.trefoil.it.cluster.host;
