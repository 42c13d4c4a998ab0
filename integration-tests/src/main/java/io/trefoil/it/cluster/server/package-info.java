/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The processes of a cluster, and what a NameNode reports about itself.
 *
 * <p>Entry class: {@link io.trefoil.it.cluster.server.Server}, started by a {@link io.trefoil.it.cluster.server.Launcher}.
 */
package io.trefoil.it.cluster.server;
