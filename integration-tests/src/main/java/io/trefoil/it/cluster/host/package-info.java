/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** What a machine gives a cluster: an installation of Hadoop, folders and ports, links that can be cut, disks that fill, hang and die. */
package io.trefoil.it.cluster.host;
