/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** What these commands need from the cluster, without types of Hadoop's. */
package io.trefoil.tools.federation.cluster;
