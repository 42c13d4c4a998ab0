/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** {@code hdfs trefoil archive}: every committed edit and the images, on another file system, and namespaces of the past from them. */
package io.trefoil.tools.archive;
