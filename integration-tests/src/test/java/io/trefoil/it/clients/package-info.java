/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Programs that use HDFS with their own libraries, during a failover. */
package io.trefoil.it.clients;
