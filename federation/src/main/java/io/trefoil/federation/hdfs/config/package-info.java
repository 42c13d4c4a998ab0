/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The settings of NameNodes of a federation, and how they are read. See docs/design/settings.md. */
package io.trefoil.federation.hdfs.config;
