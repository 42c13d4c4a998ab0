/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The page {@code /trefoil} of a NameNode: it queries the state of all NameNodes of the group and all nodes of the pool, and shows the
 * answers with the verdict ({@code docs/operating/web-page.md}). Runs on the web server's threads and its own.
 */
package io.trefoil.ha.hdfs.status;
