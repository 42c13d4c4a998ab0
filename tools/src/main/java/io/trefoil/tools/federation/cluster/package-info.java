/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The federation commands' access to the cluster, without Hadoop's types. */
package io.trefoil.tools.federation.cluster;
