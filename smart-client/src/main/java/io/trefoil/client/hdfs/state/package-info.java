/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */

/**
 * What has one client of a nameservice see all that another one of the same file system was told, also where reads go to observers. In
 * the threads of calls. Not part of the paper.
 */
package io.trefoil.client.hdfs.state;
