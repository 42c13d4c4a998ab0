/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The page {@code /trefoil} of a NameNode: it asks all NameNodes of the group and all nodes of the pool how they are,
 * and shows that with the verdict on it ({@code docs/operating/web-page.md}). Runs on the threads of the web server and
 * its own.
 */
package io.trefoil.ha.hdfs.status;
