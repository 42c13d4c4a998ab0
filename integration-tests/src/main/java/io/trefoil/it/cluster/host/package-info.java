/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * What a cluster uses of its machine: an installation of Hadoop, folders, ports, links that can be cut, and disks that
 * fill, hang and die.
 */
package io.trefoil.it.cluster.host;
