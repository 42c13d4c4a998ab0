/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Folders of one nameservice apart from what is in them: who may do what with them, those above them, and the marks that tell clients where
 * they went. Calls are made by the thread that asks.
 */
package io.trefoil.federation.hdfs.folder;
