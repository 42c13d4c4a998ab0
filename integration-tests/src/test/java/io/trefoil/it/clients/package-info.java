/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** What uses HDFS with libraries of its own, through a failover. */
package io.trefoil.it.clients;
